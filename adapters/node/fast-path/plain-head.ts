// The head of a request in which nothing is out of the ordinary. Anything else Node's own parser reads, also what only may
// be wrong: there is one opinion on it. RFC 9112

/** Of longer ones Node tells what is too long. */
export const MOST_BYTES = 8 * 1024;
const END = '\r\n\r\n';
// Every line ends as it should, and there are not too many: Node reads no more than a thousand.
const PLAIN = /^[A-Z]+ [!-~]+ HTTP\/1\.1\r\n(?:[\w!#$%&'*+.^`|~-]+:[\t\x20-\x7e\x80-\xff]*\r\n){1,100}\r\n$/;
// There is more to such a request than what stands in it, or it wants another answer than usual.
const SAYS_MORE = /\r\n(?:expect|proxy-connection|range|service-worker|transfer-encoding|upgrade):/i;
const SPACES_AT_END = /[\t ]+$/;
const LASTING = /^(?:close|keep-alive)$/i;

/** Null for one that is not plain, or not whole. */
export function plainHead(bytes: Buffer): string | null {
  const end = bytes.indexOf(END);
  if (end === -1 || end > MOST_BYTES) return null;
  const head = bytes.toString('latin1', 0, end + END.length);
  return PLAIN.test(head) && !SAYS_MORE.test(head) ? head : null;
}

/** A header's value without the blanks behind it: JavaScript's own trim takes more. */
export const unpadded = (value: string): string => value.replace(SPACES_AT_END, '');

/** What a request says of its connection; null for what is not plain. */
export function closesConnection(said: string | undefined): boolean | null {
  if (said === undefined) return false;
  return LASTING.test(said) ? said.length === 'close'.length : null;
}
