// Knows the headers by which a server takes another method, path, host or client address than those of the request.

// Each proxy and CDN has a name of its own for the address of the client. An upstream that believes one of them would take
// the caller for somebody else, or let it choose the address by which limits are counted.
const CLIENT_ADDRESS =
  /^(?:[a-z\d]+-)*(?:client|connecting|originating|proxyuser|real|remote|socket|src|user)-?(?:connection-?)?(?:addr|address|ip)$/;
const FORWARDED = /^(?:[a-z\d]+-)*forwarded(?:-.*)?$/;
const OTHER_CLIENT_ADDRESSES = new Set([
  'cloudfront-viewer-address',
  'x-custom-ip-authorization',
  'x-envoy-external-address',
  'x-forward-for',
]);

// Servers take the method from such a header instead of the request line: what may only read must not write through it.
const METHOD_OVERRIDE =
  /^(?:x-)?(?:[a-z\d]+-)*(?:http|original|override|real|rewrite)-(?:method|verb)(?:-override)?$/;
const OTHER_METHOD_OVERRIDES = new Set([
  'x-method',
  'x-method-override',
  'x-request-method',
  'x-verb-override',
]);

// IIS, Symfony, Zend, Next.js, Envoy and others take the path or the host from such a header instead of the request line.
const PATH_OVERRIDE =
  /^(?:x-)?(?:[a-z\d]+-)*(?:invoke|matched|original|override|proxy|real|request|rewrite|unencoded)-(?:host|path|uri|url)$/;
const OTHER_PATH_OVERRIDES = new Set([
  'path-info',
  'script-name',
  'x-host',
  'x-http-destinationurl',
  'x-http-host-override',
  'x-http-path-override',
  'x-http-url-override',
  'x-middleware-rewrite',
  'x-path-info',
  'x-script-name',
]);

/** Whether a server may take the client for somebody else. The name is spelled by `spellHeader`. */
export const namesClientAddress = (name: string): boolean =>
  CLIENT_ADDRESS.test(name) || FORWARDED.test(name) || OTHER_CLIENT_ADDRESSES.has(name);

/** Whether a server may take another method, path or host. The name is spelled by `spellHeader`. */
export const overridesRequestLine = (name: string): boolean =>
  METHOD_OVERRIDE.test(name) ||
  OTHER_METHOD_OVERRIDES.has(name) ||
  PATH_OVERRIDE.test(name) ||
  OTHER_PATH_OVERRIDES.has(name);

/** Behind CGI, WSGI or Rack a hyphen and an underscore mean the same header. RFC 3875 §4.1.18 */
export const spellHeader = (name: string): string => name.toLowerCase().replaceAll('_', '-');

/** Whether a request with this header may be another request for its server. The name may have any spelling. */
export function isOverriding(name: string): boolean {
  const spelled = spellHeader(name);
  return namesClientAddress(spelled) || overridesRequestLine(spelled);
}
