#!/bin/sh
# Start of the runner: writes its configuration with the mounted secrets, and again when one of them changes; the runner reads it anew by itself.
# At a signal to stop it takes no more jobs and ends with the last one.
set -eu

template=${TEMPLATE:-/templates/config.toml}
token=${TOKEN:-/secrets/runner/token}
config=$HOME/config.toml

toml_string() {
  sed 's/[\\"]/\\&/g' "$1"
}

# Every "@file:<path>@" becomes the content of that file.
render() {
  while IFS= read -r line; do
    case $line in
    *@file:*@*)
      path=${line#*@file:}
      path=${path%%@*}
      printf '%s%s%s\n' "${line%%@file:*}" "$(toml_string "$path")" "${line#*@file:"$path"@}"
      ;;
    *) printf '%s\n' "$line" ;;
    esac
  done <"$template"
}

write_configuration() {
  [ -s "$token" ] || return 0
  (umask 077 && render >"$config.new")
  cmp -s "$config.new" "$config" || mv "$config.new" "$config"
}

until [ -s "$token" ]; do
  echo "Waiting for the token, which the Job that makes the runner known to the forge writes."
  sleep "${REFRESH_SECONDS:-15}"
done
write_configuration

gitlab-runner run --config "$config" --working-directory "$HOME" &
runner=$!
trap 'kill -QUIT "$runner" 2>/dev/null || true' TERM INT QUIT
while kill -0 "$runner" 2>/dev/null; do
  sleep "${REFRESH_SECONDS:-15}" &
  # A signal ends this early.
  wait "$!" || true
  write_configuration
done
wait "$runner"
