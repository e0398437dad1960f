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
  /** What every match holds. */
  hint?: string;
  /** Says how much of a match is the thing itself. */
  length?: (match: string) => number;
}

/** Tokens with a beginning of their own. They are looked for in one pass. */
const TOKENS: readonly (readonly [name: string, form: string])[] = [
  ['github_token', 'gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255}'],
  [
    'gitlab_token',
    'gl(?:pat|ptt|dt|rt|soat|cbt|ft|agent|ffct|imt|oas)-[A-Za-z0-9_-]{20,300}|GR1348941[A-Za-z0-9_-]{20}|_gitlab_session=[A-Za-z0-9]{32}',
  ],
  [
    'slack_token',
    'xox[bp]-[0-9]{8,14}-[A-Za-z0-9-]{14,300}|(?:xox[aeors]|xapp)-[A-Za-z0-9-]{10,300}|xoxe\\.xox[bp]-[0-9]-[A-Za-z0-9-]{100,300}',
  ],
  ['aws_key_id', '(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}'],
  ['bedrock_key', 'ABSK[A-Za-z0-9+/]{100,280}={0,2}|bedrock-api-key-[A-Za-z0-9+/=_-]{20,2000}'],
  ['stripe_key', '(?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{10,255}|whsec_[A-Za-z0-9]{24,100}'],
  ['google_key', 'AIza[A-Za-z0-9_-]{35}|GOCSPX-[A-Za-z0-9_-]{28}'],
  ['google_token', 'ya29\\.[A-Za-z0-9_-]{20,2000}'],
  ['anthropic_key', 'sk-ant-[A-Za-z0-9_-]{20,300}'],
  ['openai_key', 'sk-(?:proj-|svcacct-|admin-)[A-Za-z0-9_-]{20,300}|sk-[A-Za-z0-9]{32,64}'],
  ['perplexity_key', 'pplx-[A-Za-z0-9]{48}'],
  ['npm_token', 'npm_[A-Za-z0-9]{36}'],
  ['pypi_token', 'pypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,1000}'],
  ['rubygems_key', 'rubygems_[a-f0-9]{48}'],
  ['clojars_token', 'CLOJARS_[A-Za-z0-9]{60}'],
  ['huggingface_token', '(?:hf_|api_org_)[A-Za-z]{34}|hf_[A-Za-z0-9]{34}'],
  ['sendgrid_key', 'SG\\.[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43}'],
  ['sendinblue_key', 'xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}'],
  ['mailgun_key', '(?:pub)?key-[a-f0-9]{32}'],
  ['shopify_token', 'shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}'],
  ['shippo_token', 'shippo_(?:live|test)_[a-fA-F0-9]{40}'],
  ['square_token', 'sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,43}|EAAA[A-Za-z0-9_-]{60}'],
  ['facebook_token', 'EAA[MC][A-Za-z0-9]{100,300}'],
  ['flutterwave_key', 'FLW(?:PUBK|SECK)(?:_TEST)?-[a-f0-9]{12,32}(?:-X)?'],
  ['plaid_token', 'access-(?:sandbox|development|production)-[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}'],
  ['easypost_key', 'EZ[AT]K[A-Za-z0-9]{54}'],
  ['duffel_token', 'duffel_(?:test|live)_[A-Za-z0-9_=-]{43}'],
  ['digitalocean_token', 'do[opr]_v1_[a-f0-9]{64}'],
  ['cloudflare_key', 'v1\\.0-[a-f0-9]{24}-[a-f0-9]{146}'],
  ['alibaba_key_id', 'LTAI[A-Za-z0-9]{20}'],
  [
    'yandex_key',
    'AQVN[A-Za-z0-9_-]{35,38}|YC[A-Za-z0-9_-]{38}|t1\\.[A-Za-z0-9=_-]{1,100}\\.[A-Za-z0-9_-]{86}={0,2}',
  ],
  ['heroku_key', 'HRKU-AA[A-Za-z0-9_-]{58}'],
  ['flyio_token', 'fo1_[A-Za-z0-9_-]{43}|fm[12][ar]?_[A-Za-z0-9+/]{100,2000}={0,3}'],
  ['scalingo_token', 'tk-us-[A-Za-z0-9_-]{48}'],
  ['planetscale_token', 'pscale_(?:tkn|pw|oauth)_[A-Za-z0-9=._-]{32,64}'],
  ['databricks_token', 'dapi[a-f0-9]{32}(?:-[0-9])?'],
  ['vault_token', 'hv[sb]\\.[A-Za-z0-9_-]{90,300}|s\\.(?=[A-Za-z]{0,23}[0-9])[A-Za-z0-9]{24}'],
  ['pulumi_token', 'pul-[a-f0-9]{40}'],
  ['doppler_token', 'dp\\.pt\\.[A-Za-z0-9]{43}'],
  ['infracost_key', '(?<!\\.)ico-[A-Za-z0-9]{32}'],
  [
    'grafana_token',
    'gl(?:c_[A-Za-z0-9+/]{32,400}={0,3}|sa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8})|eyJrIjoi[A-Za-z0-9]{70,400}={0,3}',
  ],
  ['sentry_token', 'sntrys_eyJpYXQiO[A-Za-z0-9+/_=-]{40,500}|sntryu_[a-f0-9]{64}'],
  ['newrelic_key', 'NRAK-[A-Za-z0-9]{27}|NRJS-[a-f0-9]{19}|NRII-[A-Za-z0-9-]{32}'],
  ['dynatrace_token', 'dt0c01\\.[A-Za-z0-9]{24}\\.[A-Za-z0-9]{64}'],
  ['postman_key', 'PMAK-[a-f0-9]{24}-[a-f0-9]{34}'],
  ['sourcegraph_token', 'sgp_(?:[a-fA-F0-9]{16}_|local_)?[a-fA-F0-9]{40}'],
  ['harness_key', '(?:pat|sat)\\.[A-Za-z0-9_-]{22}\\.[A-Za-z0-9]{24}\\.[A-Za-z0-9]{20}'],
  ['octopus_key', 'API-[A-Z0-9]{26}'],
  ['openshift_token', 'sha256~[A-Za-z0-9_-]{43}'],
  ['artifactory_key', 'AKCp[A-Za-z0-9]{69}|cmVmd[A-Za-z0-9]{59}'],
  ['prefect_key', 'pnu_[A-Za-z0-9]{36}'],
  ['settlemint_token', 'sm_(?:aat|pat|sat)_[A-Za-z0-9]{16}'],
  ['airtable_token', 'pat[A-Za-z0-9]{14}\\.[a-f0-9]{64}'],
  ['notion_token', 'ntn_[0-9]{11}[A-Za-z0-9]{35}'],
  ['linear_key', 'lin_(?:api|oauth)_[A-Za-z0-9]{40,64}'],
  ['typeform_token', 'tfp_[A-Za-z0-9=_.-]{59}'],
  ['readme_key', 'rdme_[a-z0-9]{70}'],
  ['frameio_token', 'fio-u-[A-Za-z0-9=_-]{64}'],
  ['mapbox_token', 'pk\\.[A-Za-z0-9]{60}\\.[A-Za-z0-9]{22}'],
  ['twilio_key', 'SK[a-f0-9]{32}'],
  ['twitter_token', 'A{22}[A-Za-z0-9%]{80,100}'],
  ['intra42_secret', 's-s4t2(?:ud|af)-[a-f0-9]{64}'],
  ['defined_networking_key', 'dnkey-[A-Za-z0-9=_-]{26}-[A-Za-z0-9=_-]{52}'],
  [
    'authress_key',
    '(?:sc|ext|scauth|authress)_[A-Za-z0-9]{5,30}\\.[A-Za-z0-9]{4,6}\\.acc[_-][A-Za-z0-9-]{10,32}\\.[A-Za-z0-9+/_=-]{30,120}',
  ],
  ['age_key', 'AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}'],
  [
    'onepassword_key',
    'A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}|ops_eyJ[A-Za-z0-9+/]{250,2000}={0,3}',
  ],
  ['jwt', 'eyJ[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]*'],
];

const token = (form: string, flags: string): RegExp =>
  new RegExp(`(?<![A-Za-z0-9_-])(?:${form})(?![A-Za-z0-9_-])`, flags);

const ANY_TOKEN = token(TOKENS.map(([, form]) => form).join('|'), 'g');
const TOKEN_KINDS = TOKENS.map(([name, form]) => ({ name, form: new RegExp(`^(?:${form})$`) }));

/** Documentation writes tokens as ghp_xxxx. A random token has more letters at its end. */
const MIN_LETTERS = 5;
const LETTERS_FROM_END = 16;

const lengthOfToken = (found: string): number =>
  new Set(found.slice(-LETTERS_FROM_END)).size < MIN_LETTERS ? 0 : found.length;

/** Every token has a run of these characters, and few sentences do. */
const RUN = 15;
const IN_RUN = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9_.=+/~:-]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** Looks backwards from the end of a run that could be, so it skips most characters. */
function mayHaveToken(text: string): boolean {
  let end = RUN - 1;
  while (end < text.length) {
    let at = end;
    while (at > end - RUN && IN_RUN[text.charCodeAt(at)] === 1) at--;
    if (at === end - RUN) return true;
    end = at + RUN;
  }
  return false;
}

function findTokens(text: string, from: number): Find[] {
  if (!mayHaveToken(text)) return [];
  const finds: Find[] = [];
  ANY_TOKEN.lastIndex = from;
  for (let match = ANY_TOKEN.exec(text); match !== null; match = ANY_TOKEN.exec(text)) {
    const [found] = match;
    if (lengthOfToken(found) === 0) continue;
    const kind = TOKEN_KINDS.find(({ form }) => form.test(found))?.name ?? 'token';
    finds.push({ start: match.index, end: match.index + found.length, kind });
  }
  return finds;
}

const KINDS: readonly Kind[] = [
  // These begin with any letter, so they are looked for only where the rest of them is.
  {
    name: 'azure_secret',
    of: 'secrets',
    hint: 'Q~',
    form: token('(?<![~.])[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}(?![.~])', 'g'),
    length: lengthOfToken,
  },
  {
    name: 'mailchimp_key',
    of: 'secrets',
    hint: '-us',
    form: token('[a-f0-9]{32}-us[0-9]{1,2}', 'g'),
    length: lengthOfToken,
  },
  {
    name: 'terraform_token',
    of: 'secrets',
    hint: '.atlasv1.',
    form: token('[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9=_-]{60,70}', 'g'),
    length: lengthOfToken,
  },
  {
    name: 'telegram_token',
    of: 'secrets',
    hint: ':A',
    form: token('[0-9]{5,16}:A[A-Za-z0-9_-]{34}', 'g'),
    length: lengthOfToken,
  },
  {
    name: 'webhook',
    hint: '.com/',
    of: 'secrets',
    form: /(?:hooks\.slack\.com\/(?:services|workflows|triggers)|webhook\.office\.com\/webhookb2)\/[A-Za-z0-9@_/-]{20,200}/g,
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
    hint: '@',
    of: 'personal',
    form: /(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}(?![A-Za-z0-9])/g,
  },
  {
    name: 'phone',
    hint: '+',
    of: 'personal',
    form: /(?<![A-Za-z0-9+])\+[1-9](?:[ ().-]{0,2}[0-9]){7,14}(?![0-9])/g,
  },
];

export const FORMS: readonly { name: string; source: string }[] = [
  ...KINDS.map(({ name, form }) => ({ name, source: form.source })),
  ...TOKENS.map(([name, form]) => ({ name, source: token(form, 'g').source })),
];

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
  const finds = wanted.has('secrets') ? [...findPrivateKeys(text, from), ...findTokens(text, from)] : [];
  for (const { name, of, form, hint, length } of KINDS) {
    if (of !== 'both' && !wanted.has(of)) continue;
    if (hint !== undefined && !text.includes(hint)) continue;
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
