#!/bin/sh
# The image's before-starting hook, run at every start before Apache. The entrypoint copies version.php before it installs or upgrades,
# so a pod that is killed meanwhile would never be finished: its next start sees equal versions and does neither.
set -eu

scripts=${SCRIPTS:-/hearth}
html=${HTML:-/var/www/html}

occ() {
  php "$html/occ" --no-interaction "$@"
}

# The entrypoint's own lock: other pods wait for it before they look at the versions.
exec 9>"$html/nextcloud-init-sync.lock"
flock 9

# Says in `status` how the suite is. What occ has to say of a failure goes to its standard output.
look() {
  if ! status=$(occ status --output=json); then
    printf '%s\n' "$status" >&2
    echo "Nextcloud can't say how it is, so Apache is not started." >&2
    exit 1
  fi
}

look
case $status in *'"installed":false'*)
  database=$(php "$scripts/database-state.php")
  case $database in
    used)
      echo "The database holds a suite in use, but config/config.php on the volume does not belong to it." >&2
      echo "Restore config/config.php from the bucket of the backups, or give the suite an empty database." >&2
      exit 1
      ;;
    unfinished)
      echo "Removing the administrator of the interrupted installation, so that it can be made again."
      php "$scripts/database-state.php" forget-administrator
      ;;
  esac
  echo "Finishing an interrupted installation."
  occ maintenance:install --database pgsql --database-host "$POSTGRES_HOST" --database-name "$POSTGRES_DB" \
    --database-user "$POSTGRES_USER" --database-pass "$POSTGRES_PASSWORD" \
    --admin-user "$NEXTCLOUD_ADMIN_USER" --admin-pass "$NEXTCLOUD_ADMIN_PASSWORD"
  ;;
esac

look
case $status in *'"needsDbUpgrade":true'*)
  echo "Finishing an interrupted upgrade."
  occ upgrade
  ;;
esac

# An interrupted upgrade leaves the maintenance page on. The setting, not what a pod left behind, says whether it stays.
if [ -z "${NC_maintenance:-}" ]; then
  look
  case $status in *'"maintenance":true'*) occ maintenance:mode --off ;; esac
fi

# The image's file knows no short addresses until Nextcloud writes them into it.
if ! grep -qs front_controller_active "$html/.htaccess"; then
  occ maintenance:update:htaccess || echo "Short addresses, such as those of public links, will not work." >&2
fi
