#!/bin/sh
# Lists open issues from a server, as a client with a secret. Needs curl 7.76 or newer.
set -eu

missing() {
  echo "$1 is missing: $2." >&2
  exit 2
}
[ -n "${GATEWAY_URL:-}" ] || missing GATEWAY_URL 'the address of the gateway, such as https://gate.example.com'
[ -n "${CLIENT_ID:-}" ] || missing CLIENT_ID 'the id that the portal shows, on Machines under Clients'
[ -r "${SECRET_FILE:-}" ] || missing SECRET_FILE 'a file with the secret that the portal has shown once'

# The secret goes in by standard input, so that it does not show in the list of processes.
token=$(printf 'user = "%s:%s"\n' "$CLIENT_ID" "$(cat "$SECRET_FILE")" |
  curl --silent --show-error --fail-with-body --config - --data grant_type=client_credentials "$GATEWAY_URL/token" |
  sed -n 's/.*"access_token" *: *"\([^"]*\)".*/\1/p')
[ -n "$token" ]

# The token works for an hour. A program that runs for longer asks for the next one when this one is refused.
printf 'authorization: Bearer %s\n' "$token" |
  curl --silent --show-error --fail-with-body --header @- --header 'content-type: application/json' \
    --data '{"limit": 10}' "$GATEWAY_URL/rest/redmine/redmine_list_issues"
echo
