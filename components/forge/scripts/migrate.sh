#!/bin/sh
# Job of the migrations: makes or migrates the schema, then sets what administrators have set in the stack.
# SKIP_POST_DEPLOYMENT_MIGRATIONS, where it is set, leaves those that old pods could not bear to a second Job.
set -eu

image=${IMAGE_SCRIPTS:-/scripts}
settings=${APPLICATION_SETTINGS:-/var/opt/gitlab/templates/application-settings.json}

"$image/wait-for-deps"
"$image/db-migrate"
if [ -f "$settings" ]; then
  gitlab-rails runner "${SCRIPTS:-/hearth/scripts}/apply-settings.rb" "$settings"
fi
