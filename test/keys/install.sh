#!/bin/sh
# Builds Vault, and installs moto, which answers as AWS KMS does and checks signatures. The toolchain of Go has to be new enough.
set -e
cd "$(dirname "$0")"
python3 -m venv .venv
.venv/bin/pip install --quiet --retries 0 --no-compile --requirement requirements.txt
cd vault
GOTOOLCHAIN=local GOFLAGS=-mod=mod CGO_ENABLED=0 go build -tags minimal -ldflags '-s -w' -o ../.bin/vault github.com/hashicorp/vault
