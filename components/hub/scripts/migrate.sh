#!/bin/sh
# Job: brings the hub's database to this version, as core. Says what is wrong with keys that core would fail on later.
set -eu

key_file="${ENCRYPTION_KEY_FILE:-/etc/core/key}"
length=$(wc -c < "$key_file" | tr -d ' ')
case "$length" in
16 | 24 | 32) ;;
*)
  echo "The encryption key in $key_file has $length characters: 16, 24 or 32 are needed, without a line break." >&2
  exit 1
  ;;
esac

token_key="${TOKEN_KEY_FILE:-/etc/core/private_key.pem}"
if ! grep -q '^-----BEGIN \(RSA \)\{0,1\}PRIVATE KEY-----' "$token_key"; then
  echo "$token_key holds no private key in PEM form, by which the hub signs tokens." >&2
  exit 1
fi

if [ "${#CSRF_KEY}" -ne 32 ]; then
  echo "CSRF_KEY has ${#CSRF_KEY} characters: 32 are needed." >&2
  exit 1
fi

exec "${CORE_PROGRAM:-/harbor/harbor_core}" -mode=migrate
