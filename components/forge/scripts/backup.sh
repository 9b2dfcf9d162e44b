#!/bin/sh
# Scheduled backup: database and objects as one archive in the bucket of the backups, and beside it the keys that the database is encrypted
# with, which the archive does not hold. Repositories are in the archive, or the git store itself puts them into the bucket.
set -eu

secrets=${RAILS_SECRETS:-/srv/gitlab/config/secrets.yml}
backups=s3://$BACKUP_BUCKET_NAME
copies=$backups/$REPOSITORIES_FOLDER/
install -m 0600 "${CONFIG_DIRECTORY:-/srv/gitlab/config}/s3cfg" "$HOME/.s3cfg"

# The registry is the hub's, which this does not back up.
set -- --skip registry
needed=$(env | sed -n 's/^[A-Z_]*_BUCKET_NAME=//p' | sort)
if [ "$BACKUP_OBJECTS" = false ]; then
  needed=$BACKUP_BUCKET_NAME
  for type in $(env | sed -n 's/^\([A-Z_]*\)_BUCKET_NAME=.*/\1/p' | grep -vx -e BACKUP -e TMP | tr '[:upper:]' '[:lower:]' | sort); do
    set -- "$@" --skip "$type"
  done
fi

# The tool only prints that it left out a bucket it can't read.
for bucket in $needed; do
  if ! s3cmd --limit=1 ls "s3://$bucket" >/dev/null; then
    echo "Bucket $bucket can't be read, so the backup would lack it. Check that it exists and that the credentials may list it." >&2
    exit 1
  fi
done

# The tool copies each of these to the scratch volume, then packs it there.
if [ "$BACKUP_OBJECTS" = true ]; then
  free=$(df -Pk "${RAILS:-/srv/gitlab}/tmp" | awk 'NR == 2 { print $4 }')
  for bucket in $(env | grep -v -e ^BACKUP_ -e ^TMP_ -e ^DEPENDENCY_PROXY_ | sed -n 's/^[A-Z_]*_BUCKET_NAME=//p' | sort); do
    used=$(s3cmd du "s3://$bucket")
    size=$(($(printf '%s\n' "$used" | awk '{ print $1 }') / 1024))
    if [ "$size" -gt "$free" ]; then
      echo "Bucket $bucket has $((size / 1024)) MiB, and the scratch volume has room for $((free / 1024)) MiB. Raise hearth:forge.backup.scratchSize to twice the size of all buckets in the archive, or leave them out with hearth:forge.backup.objects." >&2
      exit 1
    fi
  done
fi

# Named for its content, so that other keys never overwrite those of older archives.
keys=$backups/secrets/$(sha256sum "$secrets" | cut -c 1-16).yml
if [ -z "$(s3cmd ls "$keys")" ]; then
  s3cmd put "$secrets" "$keys" >/dev/null
  echo "Saved the forge's keys as $keys."
fi

set -- "$@" --maximum-backups "$BACKUP_KEEP"
if [ "$BACKUP_REPOSITORIES" = bucket ]; then
  # The archive's name, by which the git store names its copies, too: Rails reads it from BACKUP.
  BACKUP=$(date +%s_%Y_%m_%d)_$(cat "${RAILS:-/srv/gitlab}/VERSION")
  export BACKUP
  set -- "$@" -t "$BACKUP" --repositories-server-side
fi
backup-utility "$@"

# Each copy of a repository has a manifest that is named for the backup, and one that is named +latest.
listed=$(s3cmd ls --recursive "${copies}manifests/")
names=$(printf '%s\n' "$listed" | sed -n 's|.*/\([^/+][^/]*\)\.toml$|\1|p' | sort)
if [ "$BACKUP_REPOSITORIES" = bucket ]; then
  saved=$(printf '%s\n' "$names" | grep -cxF "$BACKUP" || true)
  if [ "$saved" = 0 ] && [ -n "$names" ]; then
    echo "The archive is made, but the git store put no repository into $copies for $BACKUP, as it did for others. Read its log." >&2
    exit 1
  fi
  echo "The git store saved $saved repositories as $BACKUP."
fi

# The tool has deleted the archives that are too many. Copies that are older than all that are left belong to none of them.
listed=$(s3cmd ls "$backups/")
oldest=$(printf '%s\n' "$listed" | sed -n 's|.*/\([0-9]\{10\}_[^/]*\)_gitlab_backup\.tar$|\1|p' | sort | head -n 1)
for old in $(printf '%s\n' "$names" | sed -n '/^[0-9]\{10\}_/p' | uniq | awk -v oldest="$oldest" '$0 < oldest'); do
  s3cmd del --recursive --exclude '*' --rinclude "/$old(/|\.toml\$)" "$copies" >/dev/null
  echo "Deleted the repositories of $old, whose archive is deleted."
done
