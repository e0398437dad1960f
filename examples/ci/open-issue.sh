#!/bin/sh
# Opens an issue in Redmine about a build that failed. Prints the gateway's answer.
set -eu

missing() {
  echo "$1 is missing: $2." >&2
  exit 2
}
[ -n "${GATEWAY_URL:-}" ] || missing GATEWAY_URL 'a variable of the CI with the address of the gateway'
[ -n "${GATEWAY_KEY:-}" ] || missing GATEWAY_KEY 'a secret of the CI with the key that make-key.sh prints'
[ -n "${REDMINE_PROJECT:-}" ] || missing REDMINE_PROJECT 'the identifier of the project in Redmine'
[ -n "${BUILD:-}" ] || missing BUILD 'the name of the build; the job sets it'
[ -n "${BUILD_URL:-}" ] || missing BUILD_URL 'the address of the build; the job sets it'

case $REDMINE_PROJECT$BUILD$BUILD_URL in
*[\"\\]*)
  echo 'REDMINE_PROJECT, BUILD and BUILD_URL may not have quotes or backslashes, because they become JSON.' >&2
  exit 2
  ;;
esac

# The key goes in by standard input, so that it does not show in the list of processes. There is no --retry: after an
# answer that is lost, nobody knows whether the issue is there.
printf 'x-service-api-key: %s\n' "$GATEWAY_KEY" | curl --silent --show-error --fail-with-body --max-time 120 \
  "$GATEWAY_URL/rest/redmine/redmine_create_issue" --header @- --header 'content-type: application/json' \
  --data "{\"projectId\": \"$REDMINE_PROJECT\", \"subject\": \"$BUILD failed\", \"description\": \"$BUILD_URL\"}"
echo
