// Says which methods a server may take a raw request for. reference: Rules

// The names by which a server takes the method of a POST out of its query or its form, such as `_method` and `_HttpMethod`.
// PHP reads dots and spaces as underscores, and ends a name at a NUL.
const METHOD_PARAMETER = /(?:^|[_. -])(?:http)?[_. ]?(?:method|verb)(?:[_. -]override)?(?:\0.*)?$/is;

/** A server may take another method out of the form or the query of a POST, so such a POST can be a DELETE as well. */
export function possibleMethods(
  method: string,
  { search, hasForm }: { search: string; hasForm: boolean },
): readonly string[] {
  if (method !== 'POST') return [method];
  // Some servers separate parameters by a semicolon too.
  const names = [...new URLSearchParams(search.replaceAll(';', '&')).keys()];
  return hasForm || names.some((name) => METHOD_PARAMETER.test(name)) ? [method, 'DELETE'] : [method];
}
