#!/bin/sh
# Builds the Java server of test/counterparts/servers.test.ts.
set -e
cd "$(dirname "$0")"
mvn -q -B dependency:copy-dependencies -DoutputDirectory=.lib
javac -cp '.lib/*' -d .classes Counterpart.java
