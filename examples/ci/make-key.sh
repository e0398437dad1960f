#!/bin/sh
# Makes the key of the CI job: for 90 days it may open issues in Redmine, 10 a minute, and nothing else.
# Prints the gateway's answer. "key" in it is shown only once.
set -eu

missing() {
  echo "$1 is missing: $2." >&2
  exit 2
}
[ -n "${GATEWAY_URL:-}" ] || missing GATEWAY_URL 'the address of the gateway, such as https://gate.example.com'
[ -n "${SESSION:-}" ] || missing SESSION 'what follows #token= in the portal link; "npm run link" prints a fresh one'

printf 'authorization: Bearer %s\n' "$SESSION" | curl --silent --show-error --fail-with-body \
  "$GATEWAY_URL/api/agent-keys" --header @- --header 'content-type: application/json' --data '{
    "name": "CI of the website",
    "integrations": ["redmine"],
    "access": "write",
    "rules": [
      {"decision": "block"},
      {"tool": "redmine_create_issue", "decision": "allow"}
    ],
    "perMinute": 10,
    "expiresAt": '"$(($(date +%s) + 90 * 86400))"'
  }'
echo
