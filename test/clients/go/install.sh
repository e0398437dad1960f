#!/bin/sh
# Builds the Go clients of test/clients/go.test.ts. The toolchain that is here has to be new enough.
set -e
cd "$(dirname "$0")"
GOTOOLCHAIN=local GOFLAGS=-mod=readonly go build -o .bin/ ./official ./mark3labs
