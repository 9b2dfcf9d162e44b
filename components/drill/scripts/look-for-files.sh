#!/bin/sh
# Drill, step 4, image of rclone: looks for the files that the sampled rows name. Where the recovery failed it reads the base
# backup to its end instead: a damaged one is why.
#
# DRILL: folder that the steps share. CHECKS: databases. HUB_BUCKET, CLOUDSUITE_BUCKET: where their objects are.
# REPOSITORIES: folder of the forge's. BACKUPS, SERVER: the archive. The remote is called `store`.
set -u
cd "$DRILL" || exit 1

objects() {
  cut -d '|' -f 1 "$1.sample" >"$1.keys"
  rclone lsf --recursive --files-only --files-from-raw "$1.keys" --no-traverse --format ps --separator '|' "store:$2" \
    >"$1.found" 2>"$1.files-error" && rm "$1.files-error"
}

repositories() {
  while IFS='|' read -r path size; do
    [ -e "$REPOSITORIES/$path.git/HEAD" ] && echo "$path|$size"
  done <forge.sample >forge.found
}

if [ -e recovered ]; then
  for check in $CHECKS; do
    [ -e "$check.sample" ] || continue
    case $check in
      forge) repositories ;;
      hub) objects hub "$HUB_BUCKET" ;;
      cloudsuite) objects cloudsuite "$CLOUDSUITE_BUCKET" ;;
    esac
  done
elif [ -e backup ]; then
  base="store:$BACKUPS/$SERVER/base/$(cat backup)"
  for file in $(rclone lsf --files-only --include '*.tar.gz' "$base"); do
    rclone cat "$base/$file" | gzip -t 2>/dev/null || echo "$file"
  done >damaged
fi
exit 0
