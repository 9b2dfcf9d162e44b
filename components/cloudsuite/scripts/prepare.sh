#!/bin/sh
# Init container of the web pods. It mounts the whole volume and stops, with the reason, what the image would end in worse:
# a downgrade, of volume or database, a skipped major, an installation over a database in use. Then it makes the directories that Nextcloud wants to own.
set -eu

scripts=${SCRIPTS:-/hearth}
image=${IMAGE:-/usr/src/nextcloud}
html=${VOLUME:-/volume}/html

if [ -f "$html/version.php" ]; then
  php "$scripts/check-version.php" "$html/version.php" "$image/version.php"
fi
php "$scripts/check-database.php" "$image"

if [ ! -s "$html/config/config.php" ]; then
  database=$(php "$scripts/database-state.php")
  if [ "$database" = used ]; then
    echo "The database holds a suite in use, but this volume has no config/config.php, which has the keys to its data." >&2
    echo "Restore config/config.php from the bucket of the backups, or give the suite an empty database." >&2
    exit 1
  fi
fi

# Nextcloud checks that it owns its data directory and that others can't read it. The kubelet would make both directories as root.
mkdir -p "$html/config" "$html/data"
# A network share has the modes of its mount, so this may fail there.
chmod 0770 "$html/data" || true

# Mounted configuration files keep the image from placing this file, and without it no config.php is ever written.
if [ ! -s "$html/config/config.php" ]; then
  touch "$html/config/CAN_INSTALL"
fi
