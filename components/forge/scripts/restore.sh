#!/bin/sh
# Restores a backup, in the toolbox while no web and job pods run: bash /hearth/scripts/restore.sh BACKUP=<archive>
# The archive is its name in the bucket, with or without _gitlab_backup.tar, as an argument or in the variable BACKUP.
# With a second argument, repositories, only these are restored: the database and the buckets stay as they are.
set -eu

id=${1:-${BACKUP:?"Name the backup by its archive in the bucket, e.g. BACKUP=1767225600_2026_01_01_18.9.1-ee_gitlab_backup.tar"}}
id=${id#BACKUP=}
# The tool wants the name without its end.
id=${id%_gitlab_backup.tar}
part=${2:-all}
version=$(cat "${RAILS:-/srv/gitlab}/VERSION")
secrets=${RAILS_SECRETS:-/srv/gitlab/config/secrets.yml}

case $part in
all | repositories) ;;
*)
  echo "A part to restore is repositories, not $part. Without one, all of the archive is restored." >&2
  exit 1
  ;;
esac

case $id in
*_"$version") ;;
*)
  echo "Backup $id is of another version than this forge, which is $version: set the forge's version to the backup's first." >&2
  exit 1
  ;;
esac

folder=s3://$BACKUP_BUCKET_NAME/secrets/
saved=$(s3cmd ls "$folder")
keys=$(sha256sum "$secrets" | cut -c 1-16).yml
if [ -n "$saved" ] && ! printf '%s' "$saved" | grep -qF "/$keys"; then
  echo "No backup was made with this forge's keys: what they encrypt would be lost. Put a file of $folder in the place of the key secrets.yml first, and restart the toolbox." >&2
  exit 1
fi

# Repositories are in the archive, or the git store has copies by its name.
copies=s3://$BACKUP_BUCKET_NAME/$REPOSITORIES_FOLDER/
listed=$(s3cmd ls --recursive "${copies}manifests/")
case $listed in
*"/$id.toml"*) from=bucket ;;
*) from=archive ;;
esac

restore() {
  if [ "$from" = bucket ]; then
    set -- "$@" --repositories-server-side
  fi
  log=$(mktemp -d)
  # Unasked: the dump of an older server has a setting that its newer client does not know.
  { GITLAB_ASSUME_YES=1 backup-utility --restore -t "$id" "$@" || echo "$?" >"$log/status"; } | tee "$log/said"
  if [ -e "$log/status" ]; then
    exit "$(cat "$log/status")"
  fi
  # The tool succeeds, too, where it skips all. It tells of each repository. (gitaly internal/backup/pipeline.go)
  if [ "$from" = bucket ] && ! grep -q "completed restore" "$log/said"; then
    echo "The tool restored no repository, though $copies has those of $id. They stay there. Read what it said above." >&2
    exit 1
  fi
}

if [ "$part" = repositories ]; then
  # The tool skips what is named here, and empties each bucket that is not.
  set -- --skip db --skip registry
  for type in $(env | sed -n 's/^\([A-Z_]*\)_BUCKET_NAME=.*/\1/p' | grep -vx -e BACKUP -e TMP | tr '[:upper:]' '[:lower:]' | sort); do
    set -- "$@" --skip "$type"
  done
  restore "$@"
  echo "Restored the repositories of $id."
  exit 0
fi

restore --skip registry
gitlab-rails runner -e production "${IMAGE_SCRIPTS:-/scripts}/custom-instance-setup"
echo "Restored $id. Raise the revisions of the applications' and the runner's Secrets, end the maintenance, and delete the Job of the settings, so that the next up with --refresh runs it again."
