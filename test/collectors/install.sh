#!/bin/sh
# Builds VictoriaLogs, which reads what Elasticsearch and Splunk read. The toolchain that is here has to be new enough.
set -e
cd "$(dirname "$0")"
GOTOOLCHAIN=local GOFLAGS=-mod=mod GOBIN="$PWD/.bin" go install github.com/VictoriaMetrics/VictoriaLogs/app/victoria-logs@v1.52.2
