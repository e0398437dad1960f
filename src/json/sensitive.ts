// Finds secrets and personal data in texts by their forms, and by their checksums where they have one. decision: 063
import { isCard, lengthOfIban } from './check-digits.ts';

/** What was removed, and how often. */
export type Removed = Map<string, number>;

interface Kind {
  name: string;
  of: 'secrets' | 'personal' | 'both';
  /**
   * Each form begins where no character of its own alphabet stands before it, and each repetition has an end or an alphabet
   * that what follows is not in. So each character is looked at a bounded number of times.
   */
  form: RegExp;
  /** Says how much of a match is the thing itself. */
  length?: (match: string) => number;
}

const token = (form: string): RegExp => new RegExp(`(?<![A-Za-z0-9_-])(?:${form})(?![A-Za-z0-9_-])`, 'g');

const KINDS: readonly Kind[] = [
  {
    name: 'github_token',
    of: 'secrets',
    form: token('gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255}'),
  },
  {
    name: 'gitlab_token',
    of: 'secrets',
    form: token('gl(?:pat|ptt|dt|rt|soat|cbt|ft|agent)-[A-Za-z0-9_-]{20,300}'),
  },
  { name: 'slack_token', of: 'secrets', form: token('(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{10,300}') },
  {
    name: 'slack_webhook',
    of: 'secrets',
    form: /hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Za-z0-9_/-]{20,200}/g,
  },
  { name: 'aws_key_id', of: 'secrets', form: token('(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}') },
  {
    name: 'stripe_key',
    of: 'secrets',
    form: token('(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,255}|whsec_[A-Za-z0-9]{24,100}'),
  },
  { name: 'google_key', of: 'secrets', form: token('AIza[A-Za-z0-9_-]{35}|GOCSPX-[A-Za-z0-9_-]{28}') },
  { name: 'google_token', of: 'secrets', form: token('ya29\\.[A-Za-z0-9_-]{20,2000}') },
  { name: 'anthropic_key', of: 'secrets', form: token('sk-ant-[A-Za-z0-9_-]{20,300}') },
  {
    name: 'openai_key',
    of: 'secrets',
    form: token('sk-(?:proj-|svcacct-|admin-)[A-Za-z0-9_-]{20,300}|sk-[A-Za-z0-9]{32,64}'),
  },
  { name: 'npm_token', of: 'secrets', form: token('npm_[A-Za-z0-9]{36}') },
  { name: 'pypi_token', of: 'secrets', form: token('pypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,1000}') },
  { name: 'huggingface_token', of: 'secrets', form: token('hf_[A-Za-z0-9]{34}') },
  { name: 'sendgrid_key', of: 'secrets', form: token('SG\\.[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43}') },
  { name: 'shopify_token', of: 'secrets', form: token('shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}') },
  { name: 'digitalocean_token', of: 'secrets', form: token('do[opr]_v1_[a-f0-9]{64}') },
  { name: 'linear_key', of: 'secrets', form: token('lin_(?:api|oauth)_[A-Za-z0-9]{40,64}') },
  { name: 'telegram_token', of: 'secrets', form: token('[0-9]{8,10}:AA[A-Za-z0-9_-]{33}') },
  {
    name: 'jwt',
    of: 'secrets',
    form: token('eyJ[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]*'),
  },
  {
    name: 'card',
    of: 'both',
    form: /(?<![0-9])(?<![0-9][ .-])(?:[0-9]{13,19}|[0-9]{4}(?:[ -][0-9]{4}){3}(?:[ -][0-9]{3})?|[0-9]{4}[ -][0-9]{6}[ -][0-9]{4,5})(?![0-9])/g,
    length: (match) => (isCard(match.replace(/[ -]/g, '')) ? match.length : 0),
  },
  {
    name: 'iban',
    of: 'personal',
    form: /(?<![A-Za-z0-9])[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]){11,30}/g,
    length: lengthOfIban,
  },
  {
    name: 'email',
    of: 'personal',
    form: /(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}(?![A-Za-z0-9])/g,
  },
  {
    name: 'phone',
    of: 'personal',
    form: /(?<![A-Za-z0-9+])\+[1-9](?:[ ().-]{0,2}[0-9]){7,14}(?![0-9])/g,
  },
];

export const FORMS: readonly { name: string; source: string }[] = KINDS.map(({ name, form }) => ({
  name,
  source: form.source,
}));

export type Wanted = ReadonlySet<'secrets' | 'personal'>;

/** Something to remove: the part of the text that it takes, and its kind. */
export interface Find {
  start: number;
  end: number;
  kind: string;
  /** Set for a private key whose last line does not follow: more of the text may have it. */
  isOpen?: boolean;
}

/** The shortest find is an e-mail address. Most texts of JSON are shorter. */
const MIN_FIND = 6;

/** Returns the finds in their order. `from` leaves out what begins before it. */
export function findSensitive(text: string, wanted: Wanted, from = 0): Find[] {
  if (text.length < MIN_FIND) return [];
  const finds = wanted.has('secrets') ? findPrivateKeys(text, from) : [];
  for (const { name, of, form, length } of KINDS) {
    if (of !== 'both' && !wanted.has(of)) continue;
    form.lastIndex = from;
    for (let match = form.exec(text); match !== null; match = form.exec(text)) {
      const { index: start } = match;
      const taken = length === undefined ? match[0].length : length(match[0]);
      // What is no find may begin in front of one.
      form.lastIndex = start + Math.max(taken, 1);
      if (taken > 0) finds.push({ start, end: start + taken, kind: name });
    }
  }
  return finds.length < 2 ? finds : joinFinds(finds);
}

/** Two finds that share characters are removed as one. */
function joinFinds(finds: Find[]): Find[] {
  const joined: Find[] = [];
  for (const find of finds.toSorted((one, other) => one.start - other.start)) {
    const last = joined.at(-1);
    if (last === undefined || find.start >= last.end) joined.push({ ...find });
    else last.end = Math.max(last.end, find.end);
  }
  return joined;
}

export const sayRemovedKind = (kind: string): string => `[removed: ${kind}]`;

/** Returns the text with each find replaced by its kind, and counts it. */
export function removeSensitive(text: string, wanted: Wanted, removed: Removed): string {
  const finds = findSensitive(text, wanted);
  return finds.length === 0 ? text : replaceFinds(text, finds, removed);
}

/** The same with finds that are known, for a part of the text. */
export function replaceFinds(
  text: string,
  finds: readonly Find[],
  removed: Removed,
  { from = 0, to = text.length, say = sayRemovedKind } = {},
): string {
  let left = '';
  let at = from;
  for (const { start, end, kind } of finds) {
    left += text.slice(at, start) + say(kind);
    at = end;
    removed.set(kind, (removed.get(kind) ?? 0) + 1);
  }
  return left + text.slice(at, to);
}

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----/g;
/** What a key is written with, also where it is in a text of JSON. */
const KEY_BODY = /[A-Za-z0-9+/=:,.\s\\-]*/y;
const KEY_END = /-----END [A-Z0-9 ]{0,40}-----/;
/** A longer block is cut here: no key is that long. */
const MAX_KEY = 16_384;

function lengthOfKeyBody(body: string): number {
  KEY_BODY.lastIndex = 0;
  return KEY_BODY.exec(body)?.[0].length ?? 0;
}

function findPrivateKeys(text: string, from: number): Find[] {
  const finds: Find[] = [];
  BEGIN.lastIndex = from;
  for (let begin = BEGIN.exec(text); begin !== null; begin = BEGIN.exec(text)) {
    const bodyAt = BEGIN.lastIndex;
    const body = text.slice(bodyAt, bodyAt + MAX_KEY);
    const ended = KEY_END.exec(body);
    const taken = ended === null ? lengthOfKeyBody(body) : ended.index + ended[0].length;
    const end = bodyAt + taken;
    finds.push({ start: begin.index, end, kind: 'private_key', isOpen: ended === null });
    BEGIN.lastIndex = end;
  }
  return finds;
}

/** The same in every text of a JSON value, also in the names of members. What has nothing to remove stays the same object. */
export function removeSensitiveIn(value: unknown, wanted: Wanted, removed: Removed): unknown {
  if (typeof value === 'string') return removeSensitive(value, wanted, removed);
  if (typeof value === 'number') {
    const text = String(value);
    const left = Number.isSafeInteger(value) ? removeSensitive(text, wanted, removed) : text;
    return left === text ? value : left;
  }
  if (Array.isArray(value)) return value.map((each) => removeSensitiveIn(each, wanted, removed));
  if (typeof value !== 'object' || value === null) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Bytes and other values of the runtime have no texts.
  if (prototype !== Object.prototype && prototype !== null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      removeSensitive(key, wanted, removed),
      removeSensitiveIn(each, wanted, removed),
    ]),
  );
}
