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

case ${PUSH:-} in
  on)
    tested=0
    occ notify_push:self-test || tested=$?
    case $tested in
      0) ;;
      2) failed "Nextcloud does not trust the address of the push server. Name the ranges of the cluster's pods and Services in clusterNetworks; ./hearth doctor finds them." ;;
      # It asks by the public host, which may not lead here yet, or not from inside the cluster.
      *) echo "Push could not be checked yet. Once the suite's public host answers, this tells how it is: occ notify_push:self-test" ;;
    esac
    ;;
  off)
    occ config:app:delete notify_push base_endpoint || failed "Clients are still sent to the push server."
    # The list of a mounted file, which is shorter again.
    occ config:system:delete trusted_proxies || failed "The former list of trusted proxies was not removed."
    ;;
esac

exit "$ended"
