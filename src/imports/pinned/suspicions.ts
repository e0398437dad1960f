// Notices texts that give orders to a model. They are warnings for the person, never a reason to refuse: such a text can
// be harmless, and a harmful one can be worded differently. decision: 042

/** Characters of one tool. */
const MAX_READ = 64 * 1024;
/** Characters of all tools of a source. */
const MAX_READ_OF_ALL = 2 * 1024 * 1024;
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
    /\b(?:api[ _-]?keys?|passwords?|credentials|private keys?|access tokens?)\b.{0,80}\b(?:sidenote|parameter|argument|include (?:it|them|these|those)|pass|send)\b/is,
    'asks for credentials',
  ],
  // It starts only where a run of these characters starts. Otherwise it would read each run again and again.
  [/(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{200}/, 'holds a long encoded text'],
];

/** Names of tools have at least one underscore, so that ordinary words are none. */
const TOOL_NAME = /\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b/g;

export interface Suspicions {
  /** Returns phrases without a subject. */
  find(texts: Iterable<string>): string[];
  /** Tells whether there were more texts than are searched. */
  isCut(): boolean;
}

/** Searches the texts of one source. `isForeign` knows the names of tools that do not belong to the import. */
export function createSuspicions(isForeign: (name: string) => boolean): Suspicions {
  let left = MAX_READ_OF_ALL;
  let isCut = false;
  return {
    find(texts) {
      const read = joinTexts(texts, Math.min(MAX_READ, left) + 1);
      if (read.length > left) isCut = true;
      const searched = read.slice(0, Math.min(MAX_READ, left));
      left -= searched.length;
      return findSuspicions(searched, isForeign);
    },
    isCut: () => isCut,
  };
}

function joinTexts(texts: Iterable<string>, most: number): string {
  let joined = '';
  for (const text of texts) {
    joined += `${text}\n`;
    if (joined.length >= most) break;
  }
  return joined.slice(0, most);
}

function findSuspicions(read: string, isForeign: (name: string) => boolean): string[] {
  const orders = ORDERS.filter(([pattern]) => pattern.test(read)).map(([, says]) => says);
  const names = [...new Set(read.match(TOOL_NAME))].filter(isForeign).slice(0, MAX_NAMES);
  return names.length === 0 ? orders : [...orders, `speaks about tools of others (${names.join(', ')})`];
}

/** Finds the texts of a schema that a model reads. */
export function* textsIn(value: unknown): Generator<string> {
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'string') yield next;
    else if (typeof next === 'object' && next !== null) open.push(...Object.values(next).toReversed());
  }
}
