#!/bin/sh
# Job: brings the hub's database to this version, as core. Before it says all that is wrong with secrets on which core would fail later.
set -eu

wrong=0
complain() {
  echo "$1" >&2
  wrong=1
}

key_file="${ENCRYPTION_KEY_FILE:-/etc/core/key}"
length=$(wc -c < "$key_file" | tr -d ' ')
case "$length" in
16 | 24 | 32) ;;
*) complain "The encryption key in $key_file has $length characters: 16, 24 or 32 are needed, without a line break." ;;
esac

token_key="${TOKEN_KEY_FILE:-/etc/core/private_key.pem}"
if ! grep -q '^-----BEGIN \(RSA \)\{0,1\}PRIVATE KEY-----' "$token_key"; then
  complain "$token_key holds no private key in PEM form, by which the hub signs tokens."
fi

if [ "${#CSRF_KEY}" -ne 32 ]; then
  complain "CSRF_KEY has ${#CSRF_KEY} characters: 32 are needed."
fi

# The kubelet puts these into JSON as they are.
check_json() {
  case "$2" in
  *[\"\\[:cntrl:]]*) complain "$1 has a quote, a backslash or a line break: let the provider make another one, or leave the break out." ;;
  esac
}
check_json OIDC_CLIENT_ID "${OIDC_CLIENT_ID:-}"
check_json OIDC_CLIENT_SECRET "${OIDC_CLIENT_SECRET:-}"

# And this into URLs.
case "${KEYSTORE_PASSWORD:-}" in
*[!A-Za-z0-9._~-]*) complain "KEYSTORE_PASSWORD has characters beside letters, digits, dots, dashes, underscores and tildes." ;;
esac

[ "$wrong" -eq 0 ] || exit 1
exec "${CORE_PROGRAM:-/harbor/harbor_core}" -mode=migrate
