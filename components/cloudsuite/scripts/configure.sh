#!/bin/sh
# Job after every change of the suite's version or apps: turns the apps on and off and gives them their settings.
# Each step leaves a suite that is as it should be unchanged.
set -eu

scripts=${SCRIPTS:-/hearth}
html=${HTML:-/var/www/html}

occ() {
  php "$html/occ" --no-interaction "$@"
}

if [ -n "${PRIVATE_CA:-}" ]; then
  occ security:certificates:import "$PRIVATE_CA"
fi

for app in ${APPS_ON:-}; do
  occ app:enable "$app"
done
for app in ${APPS_OFF:-}; do
  if [ "$(occ config:app:get "$app" enabled || true)" = yes ]; then
    occ app:disable "$app"
  fi
done

# Through standard input, since arguments can be read by every process of the node. Two steps, since sh sees no failure inside a pipe.
settings=$(php "$scripts/fill-in.php" "${SETTINGS:-/hearth/apps.json}")
printf '%s' "$settings" | occ config:import

occ db:add-missing-columns
occ db:add-missing-indices
occ db:add-missing-primary-keys

case " ${APPS_ON:-} " in *" richdocuments "*)
  # The settings stand; this only asks the office server what it can do, and it may not be reachable by its public name yet.
  occ richdocuments:activate-config ||
    echo "The office server could not be checked yet. Nextcloud asks it again when a document is opened."
  ;;
esac
