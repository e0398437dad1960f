#!/bin/sh
# Builds the Go servers of test/counterparts/servers.test.ts. The toolchain that is here has to be new enough.
set -e
cd "$(dirname "$0")"
GOTOOLCHAIN=local GOFLAGS=-mod=readonly go build -o .bin/ ./official ./mark3labs
