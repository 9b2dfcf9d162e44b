#!/bin/sh
# Drill, step 1, image of rclone: lists the archive of the running database, and fetches the notes of its base backups.
#
# DRILL: folder that the steps share. BACKUPS: bucket. SERVER: folder of the archive in it. The remote is called `store`.
set -u
cd "$DRILL" || exit 1
rm -rf ./*
archive="store:$BACKUPS/$SERVER"
# What is not there is an empty archive; whatever else goes wrong is told by the last step.
rclone lsf --recursive --files-only --format ps --separator '|' "$archive" >archive.files 2>archive.error &&
  rm archive.error
grep -q 'directory not found' archive.error 2>/dev/null && rm archive.error
[ -e archive.error ] && exit 0
rclone copy --include '/base/*/backup.info' "$archive" backups 2>archive.error && rm archive.error
exit 0
