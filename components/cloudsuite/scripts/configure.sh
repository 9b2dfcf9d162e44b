#!/bin/sh
# Job after every change of the suite's version or apps: turns the apps on and off and gives them their settings.
# Each step leaves a suite that is as it should be unchanged. One that fails is named at the end, and does not keep the others from being done.
set -eu

scripts=${SCRIPTS:-/hearth}
html=${HTML:-/var/www/html}
image_apps=${IMAGE_APPS:-/image-apps}
problems=''

occ() {
  php "$html/occ" --no-interaction "$@"
}

failed() {
  problems="$problems
- $1"
}

# Whether the code of an app is on the volume or came as an image.
is_there() {
  [ -d "$html/apps/$1" ] || [ -d "$html/custom_apps/$1" ] || [ -d "$image_apps/$1" ]
}

# Places the code of an app that the database has on. Nextcloud would call it installed already, so it is off meanwhile; whom it was on
# for, everyone or groups, is kept. (nextcloud/server core/Command/App/Install.php)
install_again() {
  on_for=$(occ config:app:get "$1" enabled) || return
  occ config:app:set "$1" enabled --value=no || return
  installed=0
  occ app:install --keep-disabled "$1" || installed=1
  occ config:app:set "$1" enabled --value="$on_for" && return "$installed"
}

if [ -n "${PRIVATE_CA:-}" ]; then
  occ security:certificates:import "$PRIVATE_CA" || failed "The private certificate authority was not imported."
fi

# What the settings gave config.php once and give no more goes: it is on the volume, since Nextcloud writes there what its files yield.
# The keys are noted in the database, with commas; anything else is something that occ says.
keys=${CONFIG_KEYS:-}
given=$(occ config:app:get hearth config_keys) || given=''
case $given in *[!A-Za-z0-9_.,-]*) given='' ;; esac
noted=$keys
for key in $(printf '%s' "$given" | tr , ' '); do
  case ",$keys," in *",$key,"*) continue ;; esac
  occ config:system:delete "$key" || {
    failed "The former setting $key was not removed from config.php."
    noted="$noted,$key"
  }
done
if [ "$given" != "$noted" ]; then
  occ config:app:set hearth config_keys --value="$noted" || failed "The keys of the settings were not noted."
fi

# The store checks the signature of an app that it gives. One of an image is checked here, if its makers signed it.
for app in "$image_apps"/*/; do
  [ -f "$app/appinfo/signature.json" ] || continue
  app=$(basename "$app")
  occ integrity:check-app "$app" --path="$image_apps/$app" ||
    failed "The app $app of the image is not what its makers signed. Build the image anew from their archive."
done

# A restored volume lacks the code of apps that the database has on; to turn one on again would do nothing.
if enabled=$(php "$scripts/database-state.php" enabled-apps); then
  for app in $enabled; do
    is_there "$app" || install_again "$app" ||
      failed "The app $app is on, but its code is not on the volume and can't be installed. Place it in custom_apps or in the image of apps, or turn it off with: occ app:disable $app"
  done
else
  failed "The database does not say which apps are on."
fi

for app in ${APPS_ON:-}; do
  occ app:enable "$app" ||
    failed "The app $app was not turned on. Without a way to the app store it comes from a mirror or an image: docs/reference/cloudsuite.md, A suite without internet."
done
for app in ${APPS_OFF:-}; do
  if [ "$(occ config:app:get "$app" enabled || true)" = yes ]; then
    occ app:disable "$app" || failed "The app $app was not turned off."
  fi
done

# Through standard input, since arguments can be read by every process of the node. Two steps, since sh sees no failure inside a pipe.
if settings=$(php "$scripts/fill-in.php" "${SETTINGS:-/hearth/apps.json}"); then
  printf '%s' "$settings" | occ config:import || failed "The settings of the apps were not taken."
else
  failed "The settings of the apps could not be filled in."
fi

if [ -n "${SIGN_ON:-}" ]; then
  sh "$scripts/sign-on.sh" || failed "The provider $SIGN_ON, with which people sign on, was not set up."
fi

if [ -n "${PUSH:-}${PREVIEWS:-}" ]; then
  sh "$scripts/push-and-previews.sh" || failed "Push and previews are not as the settings say; the lines above tell why."
fi

for missing in columns indices primary-keys; do
  occ "db:add-missing-$missing" || failed "Missing $missing of the database were not added."
done

# Without it Nextcloud warns of mimetype migrations. In a new suite it takes no time; in one with files it can take hours, so there a person
# says when. (nextcloud/server lib/private/Setup.php, lib/private/Repair/RepairMimeTypes.php)
installed=$(occ config:app:get core installedat || true)
installed=${installed%.*}
case $installed in '' | *[!0-9]*) installed=0 ;; esac
if [ "$(($(date +%s) - installed))" -lt 3600 ]; then
  occ maintenance:repair --include-expensive || failed "The repair of the new suite did not end."
fi

case " ${APPS_ON:-} " in *" richdocuments "*)
  # The settings stand; this only asks the office server what it can do, and it may not be reachable by its public name yet.
  if is_there richdocuments; then
    occ richdocuments:activate-config ||
      echo "The office server could not be checked yet. Nextcloud asks it again when a document is opened."
  fi
  ;;
esac

# A new suite waits for no one: its background jobs have run once before the first person signs in.
php "$html/cron.php" || failed "The background jobs did not run."

# Last, since whatever writes config.php before writes the keystore's password again. Deleting one writes the others as they are now, so
# that none from before a rotation is left. (nextcloud/server lib/private/Config.php)
for secret in ${GIVEN_SECRETS:-}; do
  # Each part of the key is an argument.
  printf '%s' "$secret" | tr . ' ' | xargs php "$html/occ" --no-interaction config:system:delete ||
    failed "The secret $secret was not removed from config.php."
done

if [ -n "$problems" ]; then
  echo "The suite is not as its settings say:$problems" >&2
  exit 1
fi
