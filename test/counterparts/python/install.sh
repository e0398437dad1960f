#!/bin/sh
# Installs the Python servers of test/counterparts: an environment for each SDK, and two for servers that people use. `requirements.in` has what is
# tested, and `requirements.txt` everything that comes with it, so that pip has nothing to resolve.
set -e
cd "$(dirname "$0")"
for set in mcp-1 mcp-2 fastmcp-3 fastmcp-4 servers-1 servers-2; do
  python3 -m venv "$set/.venv"
  "$set/.venv/bin/pip" install --quiet --retries 0 --no-deps --no-compile --requirement "$set/requirements.txt"
done
