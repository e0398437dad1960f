#!/bin/sh
# Builds the Java server of test/counterparts/servers.test.ts with both generations of the SDK.
set -e
cd "$(dirname "$0")"
for sdk in 1.1.5 2.1.0; do
  generation=${sdk%%.*}
  mvn -q -B dependency:copy-dependencies "-Dsdk=$sdk" "-DoutputDirectory=.lib/$generation"
  javac -cp ".lib/$generation/*" -d ".classes/$generation" Counterpart.java
done
