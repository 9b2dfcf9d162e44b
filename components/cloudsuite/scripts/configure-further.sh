#!/bin/sh
# The Job of a suite whose settings name push or previews: all of configure.sh, and what settings of apps can't say.
# PUSH and PREVIEWS are `on` or `off`, and unset where the settings don't name them.
set -eu

scripts=${SCRIPTS:-/hearth}
html=${HTML:-/var/www/html}
ended=0

occ() {
  php "$html/occ" --no-interaction "$@"
}

failed() {
  echo "$1" >&2
  ended=1
}

sh "$scripts/configure.sh" || ended=1

# Nextcloud writes the list of a mounted file into config.php as well, and merges the two by their numbers: of an older, longer list the end
# would stay, and all of it once the file is gone. (nextcloud/server lib/private/Config.php)
if [ -n "${PREVIEWS:-}" ]; then
  occ config:system:delete enabledPreviewProviders || failed "The former list of what makes previews was not removed."
fi

exit "$ended"
