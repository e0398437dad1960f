#!/bin/sh
# Builds the Rust server of test/counterparts/servers.test.ts. The toolchain that is here has to be new enough.
set -e
cd "$(dirname "$0")"
RUSTUP_AUTO_INSTALL=0 cargo build --quiet --locked --target-dir .target
