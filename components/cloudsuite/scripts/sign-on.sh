#!/bin/sh
# Part of the Job that configures a suite: makes the provider by which people sign on, or changes it.
# Its secret is read from the environment, since arguments can be read by every process of the node.
set -eu

html=${HTML:-/var/www/html}

provider() {
  php "$html/occ" --no-interaction user_oidc:provider "$SIGN_ON" "$@"
}

# The provider's number, under which its further settings stand. (nextcloud/user_oidc lib/Service/ProviderService.php)
number() {
  provider --output=json | sed -n 's/^{"id":\([0-9][0-9]*\),.*/\1/p'
}

id=$(number || true)
if [ -z "$id" ]; then
  # A client that the provider does not know: nobody signs on before accounts get their right names.
  provider --clientid=none --clientsecret-env=SIGN_ON_CLIENT_SECRET --discoveryuri="https://invalid.invalid"
  id=$(number)
fi
[ -n "$id" ] || {
  echo "Nextcloud does not tell the number of the provider $SIGN_ON." >&2
  exit 1
}
# Names of accounts and groups begin with the provider's, so that none is that of a local one.
php "$html/occ" --no-interaction config:app:set user_oidc "provider-$id-providerBasedId" --type=string --lazy --value=1

set -- "--clientid=$SIGN_ON_CLIENT_ID" --clientsecret-env=SIGN_ON_CLIENT_SECRET
while IFS= read -r option; do
  set -- "$@" "$option"
done <<OPTIONS
$SIGN_ON_OPTIONS
OPTIONS
provider "$@"
