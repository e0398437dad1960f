// Notices texts that give orders to a model. They are warnings for the person, never a reason to refuse: such a text can
// be harmless, and a harmful one can be worded differently. decision: 106

const MAX_READ = 64 * 1024;
const MAX_NAMES = 3;

/** Each pattern reads a text once, whatever it holds. */
const ORDERS: readonly [pattern: RegExp, says: string][] = [
  [
    /\b(?:ignore|disregard|forget|override) (?:all |any |the |your |these ){0,2}(?:previous|prior|above|earlier|other|system)\b/i,
    'tells the model to ignore other instructions',
  ],
  [
    /\b(?:do not|don't|never|without) (?:tell|telling|inform|informing|mention|mentioning|reveal|revealing|show|showing|notify|notifying|asking|ask|alert|alerting)\b.{0,40}\buser/is,
    'tells the model to keep something from you',
  ],
  [
    /<\/?(?:important|system|secret|instructions?|admin|hidden|assistant)\b/i,
    'has markup that imitates instructions',
  ],
  [/\bsystem prompt\b/i, 'mentions the system prompt'],
  [
    /\b(?:before|after|instead of|prior to) (?:using|calling|invoking|running|any call of) (?:any|other|all|every|another|the other)\b/i,
    'gives orders about other tools',
  ],
  [
    /(?:~|\$HOME)\/\.|\bid_(?:rsa|ed25519)\b|\bmcp\.json\b|\.env\b|\/etc\/passwd/i,
    'mentions files that hold secrets',
  ],
  [
    /\b(?:api[ _-]?keys?|passwords?|credentials|private keys?|access tokens?)\b.{0,80}\b(?:sidenote|parameter|argument|include|pass|send)\b/is,
    'asks for credentials',
  ],
  [/[A-Za-z0-9+/]{200}/, 'holds a long encoded text'],
];

/** Names of tools have at least one underscore, so that ordinary words are none. */
const TOOL_NAME = /\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b/g;

/** `isForeign` knows the names of tools that do not belong to the import. Returns phrases without a subject. */
export function findSuspicions(text: string, isForeign: (name: string) => boolean): string[] {
  const read = text.slice(0, MAX_READ);
  const orders = ORDERS.filter(([pattern]) => pattern.test(read)).map(([, says]) => says);
  const names = [...new Set(read.match(TOOL_NAME))].filter(isForeign).slice(0, MAX_NAMES);
  return names.length === 0 ? orders : [...orders, `speaks about tools of others (${names.join(', ')})`];
}

/** Collects the texts of a schema that a model reads. */
export function textsIn(value: unknown): string {
  const open = [value];
  const texts: string[] = [];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'string') texts.push(next);
    else if (typeof next === 'object' && next !== null) open.push(...Object.values(next).toReversed());
  }
  return texts.join('\n');
}
