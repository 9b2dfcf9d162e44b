#!/bin/sh
# Job of the migrations: makes or migrates the schema once the stores answer. SKIP_POST_DEPLOYMENT_MIGRATIONS, where it is set, leaves those
# that old pods could not bear to a second Job.
set -eu

image=${IMAGE_SCRIPTS:-/scripts}
"$image/wait-for-deps"
"$image/db-migrate"
