#!/bin/sh
# Init container where there is a private certificate authority: the public authorities and it as one bundle,
# which the containers after it mount over the image's.
set -eu

cat "${PUBLIC_CA:-/etc/ssl/certs/ca-certificates.crt}" "$PRIVATE_CA" >"${TRUST:-/trust}/ca-certificates.crt"
