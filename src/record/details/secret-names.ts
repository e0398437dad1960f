// Tells which members and texts look like secrets, so that the details of calls do not keep them. decision: 040

const SECRET_ENDINGS =
  /(?:password|passwd|passphrase|passcode|pwd|secret|secretkey|privatekey|signingkey|apikey|accesskey|accesskeyid|token|bearer|authorization|credential|credentials|cookie|cookies|sessionid|otp|pincode)$/;
/** They name a place in a list, and a call cannot be repeated without them. */
const PLACES = /(?:page|sync|next|continuation|cursor|delta|skip|change|resume)token$/;

/** Bounds what is remembered: callers choose the names. */
const MAX_NAMES = 1_000;
const MAX_NAME_LENGTH = 64;
const known = new Map<string, boolean>();

/** Looks at a name in any spelling: `api_key`, `apiKey`, `X-Api-Key`. Lists repeat the same few names. */
export function isSecretName(name: string): boolean {
  const before = known.get(name);
  if (before !== undefined) return before;
  const plain = name.replace(/[^a-z0-9]/gi, '').toLowerCase();
  const isSecret = SECRET_ENDINGS.test(plain) && !PLACES.test(plain);
  if (name.length > MAX_NAME_LENGTH) return isSecret;
  if (known.size >= MAX_NAMES) known.clear();
  known.set(name, isSecret);
  return isSecret;
}

const WITHHELD = '…';
/** No text with one of the parts below is shorter. */
const SHORTEST = 10;
const PARTS: readonly [pattern: RegExp, replacement: string][] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, WITHHELD],
  // The words alone are prose: "basic authentication".
  [/\b(Bearer|Basic)\s+(?=[^\s"',]*\d)[\w.~+/=-]{8,}/gi, `$1 ${WITHHELD}`],
  // A JSON Web Token. RFC 7519
  [/\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g, WITHHELD],
  // Tokens whose issuers begin them with a known text, also those of this gateway.
  [
    /\b(?:gh[pousr]_|github_pat_|glpat-|xox[abeposr]-|sk-|sk_live_|rk_live_|agk_|npm_|AKIA|AIza)[\w-]{12,}/g,
    WITHHELD,
  ],
  // The parameters of an address that carry a secret or sign the address.
  [
    /([?&](?:[\w-]*(?:token|secret|password|signature|credential)|api_?key|key|sig|code)=)[^&\s"'#<>]+/gi,
    `$1${WITHHELD}`,
  ],
  // The password of an address.
  [/(\/\/[^\s/:@]{1,100}:)[^\s/@]{1,200}@/g, `$1${WITHHELD}@`],
];
const MAY_HOLD_SECRET =
  /-----BEGIN|bearer|basic|eyJ|gh[pousr]_|github_pat_|glpat-|xox|sk[-_]|rk_|agk_|npm_|AKIA|AIza|[?&][\w-]+=|\/\/[^\s/:@]+:/i;

/** Replaces the parts of a text that are secrets by their form. */
export function withoutSecrets(text: string): string {
  if (text.length < SHORTEST || !MAY_HOLD_SECRET.test(text)) return text;
  return PARTS.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), text);
}
