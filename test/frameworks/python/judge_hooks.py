"""Keeps schemathesis below the length of a request line, which Node refuses before the gateway reads it."""

import schemathesis


@schemathesis.hook
def filter_query(context, query):
    return sum(len(str(value)) for value in (query or {}).values()) < 1000
