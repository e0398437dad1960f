#!/bin/sh
# Installs the Python clients of test/clients/python.test.ts: one environment for each set that fits together. `requirements.in`
# has what is tested, and `requirements.txt` everything that comes with it, so that pip has nothing to resolve.
set -e
cd "$(dirname "$0")"
for set in mcp-1 mcp-2 crewai; do
  python3 -m venv "$set/.venv"
  "$set/.venv/bin/pip" install --quiet --retries 0 --no-deps --no-compile --requirement "$set/requirements.txt"
done
