#!/bin/sh
# Drill, step 3, image of PostgreSQL: asks the recovered database what it has, and the running one which of that it still has.
#
# DRILL: folder that the steps share. SCRIPTS: folder of the queries. CHECKS: databases. SAMPLE: rows of each.
# RUNNING_HOST: the pooler of the running one; user and password as PGUSER and PGPASSWORD.
set -u
cd "$DRILL" || exit 1
[ -e recovered ] || exit 0

recovered() { psql -X -qAt -v ON_ERROR_STOP=1 -h "$host" "$@"; }
running() { psql -X -qAt -v ON_ERROR_STOP=1 -h "$RUNNING_HOST" "$@"; }

# All rows are counted, which reads them.
recovered_answers() {
  recovered -d "$1" -f "$SCRIPTS/count.sql" >"$1.count" &&
    recovered -d "$1" -v cutoff="$target" -f "$SCRIPTS/$1-newest.sql" >"$1.newest" &&
    recovered -d "$1" -v sample="$SAMPLE" -v ids= -f "$SCRIPTS/$1-sample.sql" >"$1.drawn"
}

# A row that was changed or deleted since is no witness: its file may have gone with it.
running_answers() {
  running -d "$1" -v cutoff="$archived" -f "$SCRIPTS/$1-newest.sql" >"$1.running-newest" &&
    running -d "$1" -v sample="$SAMPLE" -v ids="{$(cut -d '|' -f 1 "$1.drawn" | paste -sd , -)}" \
      -f "$SCRIPTS/$1-sample.sql" >"$1.known"
}

host=$(cat recovered)
target=$(cat target)
# The log of a quiet database is archived every five minutes.
archived=$((target - 900))
for check in $CHECKS; do
  recovered_answers "$check" 2>"$check.recovered-error" && rm "$check.recovered-error"
  [ -e "$check.recovered-error" ] && continue
  running_answers "$check" 2>"$check.running-error" && rm "$check.running-error"
  [ -e "$check.running-error" ] && continue
  grep -Fxf "$check.known" "$check.drawn" | cut -d '|' -f 2,3 >"$check.sample"
done
exit 0
