#!/bin/sh
# Start of the toolbox: gives its backup tool the object store's settings, which the entrypoint has rendered, and waits for commands.
set -eu

install -m 0600 "${CONFIG_DIRECTORY:-/srv/gitlab/config}/s3cfg" "$HOME/.s3cfg"

trap 'exit 0' TERM INT
while :; do
  sleep 3600 &
  wait "$!"
done
