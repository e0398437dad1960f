#!/bin/sh
# Prints the open issues and the latest news of Redmine, one line of JSON each. Needs curl 7.76 or newer.
# Problems go to standard error, which cron mails, and end the script with a code that is not 0.
set -eu

missing() {
  echo "$1 is missing: $2." >&2
  exit 2
}
[ -n "${GATEWAY_URL:-}" ] || missing GATEWAY_URL 'the address of the gateway, such as https://gate.example.com'
[ -n "${KEY_FILE:-}" ] || missing KEY_FILE 'a file with the line "x-service-api-key: <key>". Make the key in the portal, on Agents'
[ -r "$KEY_FILE" ] || missing "$KEY_FILE" 'the file that KEY_FILE names'
if [ -n "$(find "$KEY_FILE" -perm -040 -o -perm -004)" ]; then
  echo "Other users can read $KEY_FILE. Run: chmod 600 $KEY_FILE" >&2
  exit 2
fi

answer=$(mktemp)
trap 'rm -f "$answer"' EXIT

# Repeats what was answered with 429 or 503 after as many seconds as Retry-After says. curl repeats after 500, 502 and
# 504 too, so a call that changes something needs a header Idempotency-Key: the gateway runs it once.
call() {
  curl --silent --show-error --fail-with-body --retry 4 --max-time 120 --output "$answer" "$@" || {
    code=$?
    cat "$answer" >&2
    return "$code"
  }
}

# A tool: the key goes in a header, which curl reads from the file. An argument would show in the list of processes.
call "$GATEWAY_URL/rest/redmine/redmine_list_issues" --header "@$KEY_FILE" \
  --header 'content-type: application/json' --data '{"sort": "updated_on:desc", "limit": 10}'
cat "$answer"
echo

# Any path of Redmine: the tool curl_session gives a token for it, here for five minutes and for reading only.
call "$GATEWAY_URL/mcp" --header "@$KEY_FILE" --header 'content-type: application/json' --data '{
  "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "curl_session", "arguments":
    {"integrations": ["redmine"], "methods": ["GET"], "ttlSeconds": 300}}}'
token=$(sed -n 's/.*{\\"token\\":\\"\([^"\\]*\)\\".*/\1/p' "$answer")
if [ -z "$token" ]; then
  cat "$answer" >&2
  exit 1
fi
# printf is a part of the shell, so the token does not show in the list of processes either.
printf 'authorization: Bearer %s\n' "$token" | call "$GATEWAY_URL/c/redmine/news.json?limit=5" --header @-
cat "$answer"
echo
