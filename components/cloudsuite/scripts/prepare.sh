#!/bin/sh
# Init container of the web pods. It mounts the whole volume and stops, with the reason, what the image would end in worse:
# a downgrade, of volume or database, a skipped major, an installation over a database in use. Then it makes what Nextcloud wants to own,
# and on a volume that was restored all that only an installation makes.
set -eu

scripts=${SCRIPTS:-/hearth}
image=${IMAGE:-/usr/src/nextcloud}
html=${VOLUME:-/volume}/html

for known in version.php config/config.php; do
  if [ -s "$html/$known" ]; then
    php "$scripts/check-version.php" "$html/$known" "$image/version.php"
    break
  fi
done
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

# Nextcloud starts on no data directory without its mark, and Apache would serve one without the other file.
# (nextcloud/server lib/private/legacy/OC_Util.php, lib/private/Setup.php)
# The mark had another name up to 29.
for mark in .ncdata .ocdata; do
  [ -e "$html/data/$mark" ] || printf '# Nextcloud data directory\n# Do not change this file\n' >"$html/data/$mark"
done
if ! grep -qs 'Require all denied' "$html/data/.htaccess"; then
  printf 'Require all denied\n' >"$html/data/.htaccess"
fi

if [ ! -s "$html/config/config.php" ]; then
  # Mounted configuration files keep the image from placing this file, and without it no config.php is ever written.
  touch "$html/config/CAN_INSTALL"
elif [ ! -f "$html/version.php" ]; then
  # A restored suite. The image would take it for a new one and install it, so the program is placed here; the version comes last,
  # as the image does it, and under the image's lock.
  exec 9>"$html/nextcloud-init-sync.lock"
  flock 9
  if [ ! -f "$html/version.php" ]; then
    echo "Placing the program on the restored volume."
    mkdir -p "$html/custom_apps" "$html/themes"
    for entry in "$image"/* "$image"/.[!.]*; do
      case ${entry##*/} in config | data | version.php | '*' | '.[!.]*') continue ;; esac
      cp -R "$entry" "$html/"
    done
    cp "$image/version.php" "$html/"
  fi
fi
