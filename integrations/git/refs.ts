// Reads what a repository's smart HTTP address advertises. gitprotocol-http(5), gitprotocol-pack(5)
export interface Ref {
  name: string;
  commit: string;
}

const LINE = /^([0-9a-f]{40}|[0-9a-f]{64}) ([^\0\n]+)/;

const utf8 = new TextDecoder();

export function parseRefs(advertised: Uint8Array): Ref[] {
  const refs: Ref[] = [];
  for (const line of packetLines(advertised)) {
    const [, commit, name] = LINE.exec(line) ?? [];
    if (commit !== undefined && name !== undefined && name !== 'capabilities^{}') refs.push({ name, commit });
  }
  return refs;
}

/** Four hexadecimal digits are the length of a line in bytes, including themselves; 0000 is a separator. */
function* packetLines(bytes: Uint8Array): Generator<string> {
  for (let at = 0; at + 4 <= bytes.length;) {
    const length = Number.parseInt(utf8.decode(bytes.subarray(at, at + 4)), 16);
    if (Number.isNaN(length)) throw new Error('This is not the address of a git repository');
    if (length > 4) yield utf8.decode(bytes.subarray(at + 4, at + length));
    at += Math.max(length, 4);
  }
}
