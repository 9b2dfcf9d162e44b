#!/bin/sh
# Waits until core answers, which tells the jobs their database; without it they crash at their start, over and over.
# CORE_URL: core inside the cluster. WAIT_SECONDS: how long it waits.
set -eu

deadline=$(($(date +%s) + ${WAIT_SECONDS:-3600}))
until curl --fail --silent --show-error --max-time 5 --output /dev/null "$CORE_URL/api/v2.0/ping"; do
  if [ "$(date +%s)" -ge "$deadline" ]; then
    echo "$CORE_URL did not answer in time: look at the logs of core." >&2
    exit 1
  fi
  sleep 2
done
