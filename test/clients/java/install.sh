#!/bin/sh
# Builds the Java clients of test/clients/java.test.ts, each with the libraries of its profile.
set -e
cd "$(dirname "$0")"
build() {
  mvn -q -B "-P$1" dependency:copy-dependencies "-DoutputDirectory=.lib/$1"
  javac -cp ".lib/$1/*" -d ".classes/$1" Steps.java "$2.java"
}
build official-1 Official
build official-2 Official
build langchain4j LangChain4j
build spring-ai SpringAi
