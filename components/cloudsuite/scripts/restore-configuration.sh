#!/bin/sh
# Init container of the web pods where the database is recovered and its former cluster is gone: the volume is new then. Puts back the
# newest nightly copy of config.php, which has the keys to the data. On a volume that has its config.php it does nothing.
set -eu

config=${VOLUME:-/volume}/html/config/config.php
[ ! -s "$config" ] || exit 0

newest=$(rclone lsf --recursive --files-only --format tp "store:$BUCKET/configuration" | sort | tail -n 1)
if [ -z "$newest" ]; then
  echo "The bucket $BUCKET has no copy of config.php in configuration/. Put one on the volume by hand, at html/config/config.php." >&2
  exit 1
fi
mkdir -p "${config%/*}"
# A copy that is cut off is no config.php.
rclone copyto "store:$BUCKET/configuration/${newest#*;}" "$config.restored"
mv "$config.restored" "$config"
echo "Put back the config.php of ${newest%%;*} UTC."
