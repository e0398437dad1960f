// Accepts the head of a request only if it is plain. Node's own parser reads every other head, also a head that may only
// be wrong, so that only Node's parser judges unusual requests. RFC 9112

/** Node answers a longer head with the error that names the limit. */
export const MAX_HEAD_BYTES = 8 * 1024;
const END = '\r\n\r\n';
// Every line ends with CRLF, and there are at most 100 header lines; Node reads up to a thousand.
const PLAIN = /^[A-Z]+ [!-~]+ HTTP\/1\.1\r\n(?:[\w!#$%&'*+.^`|~-]+:[\t\x20-\x7e\x80-\xff]*\r\n){1,100}\r\n$/;
// These headers announce more bytes than the head and a body of known length, or ask for a special response.
const UNUSUAL_HEADER = /\r\n(?:expect|proxy-connection|range|service-worker|transfer-encoding|upgrade):/i;
const SPACES_AT_END = /[\t ]+$/;
const KNOWN_CONNECTION = /^(?:close|keep-alive)$/i;

/** Returns null if the head is not plain or not complete. */
export function parseHead(bytes: Buffer): string | null {
  const end = bytes.indexOf(END);
  if (end === -1 || end > MAX_HEAD_BYTES) return null;
  const head = bytes.toString('latin1', 0, end + END.length);
  return PLAIN.test(head) && !UNUSUAL_HEADER.test(head) ? head : null;
}

/** Removes spaces and tabs from the end of a header value. JavaScript's `trim` would remove more than HTTP allows. */
export const trimValue = (value: string): string => value.replace(SPACES_AT_END, '');

/** Says whether a `Connection` header closes the connection. Returns null for a value that is not plain. */
export function closesConnection(value: string | undefined): boolean | null {
  if (value === undefined) return false;
  return KNOWN_CONNECTION.test(value) ? value.length === 'close'.length : null;
}
