// Selects the headers of a message that is passed on: hop-by-hop headers are removed. Works on raw lists, so
// duplicates and spelling are kept. RFC 9110 §7.6.1
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** `headers` alternates names and values, as received. `keep` gets the name in lower case. */
export function endToEnd(raw: readonly string[], keep: (name: string) => boolean = () => true): string[] {
  const nominated = nominatedBy(raw);
  const kept: string[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] ?? '';
    const lower = name.toLowerCase();
    if (!HOP_BY_HOP.has(lower) && nominated?.has(lower) !== true && keep(lower))
      kept.push(name, raw[index + 1] ?? '');
  }
  return kept;
}

/** Null where the message names no header, as most do. */
function nominatedBy(raw: readonly string[]): Set<string> | null {
  let names: Set<string> | null = null;
  for (let index = 0; index < raw.length; index += 2) {
    if (raw[index]?.toLowerCase() !== 'connection') continue;
    names ??= new Set();
    for (const name of raw[index + 1]?.split(',') ?? []) names.add(name.trim().toLowerCase());
  }
  return names;
}
