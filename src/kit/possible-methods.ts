// Says which methods a server may take a raw request for. reference: Rules

// The names by which a server takes the method of a POST out of its query, such as `_method` and `_HttpMethod`.
const METHOD_PARAMETER = /(?:^|[_-])(?:http)?_?(?:method|verb)(?:[_-]override)?$/i;

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
