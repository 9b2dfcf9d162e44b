#!/bin/sh
# Copies config.php, as without-secrets.php has left it, to the bucket of the backups. Each weekday has a place of its own, so a damaged
# file does not displace all good ones at once.
set -eu

rclone copyto --s3-no-check-bucket "${CONFIGURATION:-/copy}/config.php" "store:$BUCKET/configuration/$(date -u +%a)/config.php"
