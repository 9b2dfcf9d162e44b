#!/bin/sh
# Copies the buckets of one source, each into a folder of its own name in the bucket of copies. That bucket keeps former versions: what is
# deleted or overwritten in a copy can be brought back.
set -eu

copies="copies:$COPIES_BUCKET"
state="$copies/_copies"
end=$(($(date +%s) + SECONDS_ALLOWED))
failed=""

quiet() {
  rclone --s3-no-check-bucket --log-level ERROR "$@"
}

fails() {
  echo "$1: $2" >&2
  failed="$failed $1"
}

number() {
  sed -n "s/.*\"$1\":\\([0-9]*\\).*/\\1/p"
}

# More objects than this may not go in one night. A few may in a small bucket; an empty source never empties a copy.
most_deletions() {
  most=$(($1 * MAX_DELETED_PERCENT / 100))
  [ "$most" -ge 10 ] || most=10
  [ "$MAX_DELETED_PERCENT" -ge 100 ] || [ "$most" -lt "$1" ] || most=$(($1 - 1))
  [ "$most" -ge 0 ] || most=0
  echo "$most"
}

copy_bucket() {
  bucket=$1
  begun=$(date +%s)
  if [ "$begun" -ge "$end" ]; then
    fails "$bucket" "not copied: the time is over. The next copy goes on."
    return
  fi
  if ! copied=$(quiet size --json "$copies/$bucket" | number count) || [ -z "$copied" ]; then
    fails "$bucket" "not copied: the copy can't be listed."
    return
  fi
  most=$(most_deletions "$copied")
  # By names and sizes alone: no object is asked for, and nothing is changed.
  if ! said=$(quiet sync --dry-run --size-only --max-delete "$most" "store:$bucket" "$copies/$bucket" 2>&1); then
    case $said in
      *--max-delete*) fails "$bucket" "not copied: more than $most of the $copied objects in the copy are gone from the bucket. Nothing was deleted." ;;
      *) echo "$said" >&2; fails "$bucket" "not copied: the buckets can't be compared." ;;
    esac
    return
  fi
  # Sizes and times are compared, and the checksum of what is sent: an overwritten object may have the same size, and one that was sent in
  # parts has no checksum in its store.
  if ! rclone sync --s3-no-check-bucket --metadata --max-delete "$most" --max-duration "$((end - begun))s" ${BANDWIDTH:+--bwlimit "$BANDWIDTH"} \
    --transfers 8 --checkers 32 --stats 15m --stats-one-line --stats-log-level NOTICE "store:$bucket" "$copies/$bucket"; then
    fails "$bucket" "not whole: see above. What arrived stays, and the next copy goes on."
    return
  fi
  size=$(quiet size --json "$copies/$bucket")
  quiet rcat "$state/$SOURCE/$bucket" <<METRICS
hearth_copy_last_success_timestamp_seconds{bucket="$bucket"} $begun
hearth_copy_objects{bucket="$bucket"} $(echo "$size" | number count)
hearth_copy_size_bytes{bucket="$bucket"} $(echo "$size" | number bytes)
METRICS
  echo "$bucket: copied, $size"
}

versions=$(quiet backend versioning "$copies") || versions="an error"
if [ "$versions" != Enabled ]; then
  echo "Nothing is copied: bucket $COPIES_BUCKET must keep former versions, and its versioning is ${versions:-off}." >&2
  exit 1
fi

for each in $BUCKETS; do
  copy_bucket "$each"
done

# One file for Prometheus. A bucket that was not copied now keeps its last good copy in it.
quiet cat --include "/{$(echo "$BUCKETS" | tr ' ' ',')}" "$state/$SOURCE" | quiet rcat "$state/$SOURCE.txt"

if [ -n "$failed" ]; then
  echo "Not copied:$failed" >&2
  exit 1
fi
