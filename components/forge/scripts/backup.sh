#!/bin/sh
# Scheduled backup: repositories, database and objects as one archive in the bucket of the backups, and beside it the keys that the
# database is encrypted with, which the archive does not hold.
set -eu

secrets=${RAILS_SECRETS:-/srv/gitlab/config/secrets.yml}
install -m 0600 "${CONFIG_DIRECTORY:-/srv/gitlab/config}/s3cfg" "$HOME/.s3cfg"

# The tool only prints that it left out a bucket it can't read.
for bucket in $(env | sed -n 's/^[A-Z_]*_BUCKET_NAME=//p' | sort); do
  if ! s3cmd --limit=1 ls "s3://$bucket" >/dev/null; then
    echo "Bucket $bucket can't be read, so the backup would lack it. Check that it exists and that the credentials may list it." >&2
    exit 1
  fi
done

# Named for its content, so that other keys never overwrite those of older archives.
keys=s3://$BACKUP_BUCKET_NAME/secrets/$(sha256sum "$secrets" | cut -c 1-16).yml
if [ -z "$(s3cmd ls "$keys")" ]; then
  s3cmd put "$secrets" "$keys" >/dev/null
  echo "Saved the forge's keys as $keys."
fi

# The registry is the hub's, which this does not back up.
exec backup-utility --skip registry --maximum-backups "$BACKUP_KEEP"
