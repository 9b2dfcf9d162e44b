#!/bin/sh
# Start-up of web and job pods: waits for the stores and the regular migrations.
# The image's own wait-for-deps also waits for the post-deployment migrations, which run after these pods only.
set -eu

rails=${RAILS:-/srv/gitlab}
image=${IMAGE_SCRIPTS:-/scripts}
newest=$(find "$rails/db/migrate" -name '*.rb' 2>/dev/null | sed -n 's|.*/\([0-9]\{14\}\)_[^/]*$|\1|p' | sort | tail -n 1)

export WAIT_FOR_TIMEOUT="${WAIT_FOR_TIMEOUT:-600}" SLEEP_DURATION="${SLEEP_DURATION:-1}"
if [ -n "$newest" ] && [ -x "$image/rails-dependencies" ]; then
  cd "$rails"
  echo "Waiting for the schema of $newest."
  SCHEMA_VERSION=$newest DATABASE_FILE=database.yml exec "$image/rails-dependencies"
fi
echo "This image does not tell its regular migrations: waiting for the stores alone."
BYPASS_SCHEMA_VERSION=true exec "$image/wait-for-deps"
