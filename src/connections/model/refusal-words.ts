// Tells what a refusal is about: the credential, a permission, or a limit. decision: 026
import { parseExactJson } from '../../json/exact.ts';
import { isTooDeep } from '../../json/json.ts';
import { resolvePointer } from '../../json/pointer.ts';
import type { Integration } from '../../kit/integration.ts';

/** The answer of a provider. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

export const MAX_WORDS = 300;

/**
 * Whether a 403 is against the credential, so that the probe has to decide. Figma, Datadog and others answer it to a token
 * that was revoked. A limit and a missing permission are not about the credential.
 */
export function refusesCredential(answer: Answer, { probe }: Pick<Integration, 'probe'>): boolean {
  if (answer.status !== 403 || probe === undefined) return false;
  const said = clean(wordsIn(parse(answer.text), answer.text), MAX_WORDS);
  if (isTrouble(answer, said) || isAboutPermission(answer, said)) return false;
  return isAgainstCredential(said) || probe.refused?.includes(403) === true;
}

export const RATE_LIMIT = /rate.?limit|limit exceeded|too many requests|throttl|quota/i;

/** The provider asks to wait, or is broken. RFC 9110 §15.5.9, RFC 8470 §5.2, RFC 6585 §4 */
export function isTrouble({ status, headers }: Pick<Answer, 'status' | 'headers'>, said: string): boolean {
  if (status >= 500 || status === 408 || status === 425 || status === 429) return true;
  // GitHub and others answer 403 to a caller over its limit.
  const isOverLimit = headers.has('retry-after') || headers.get('x-ratelimit-remaining') === '0';
  return status === 403 && (isOverLimit || RATE_LIMIT.test(said));
}

const FAULT =
  '\\b(?:invalid|incorrect|bad(?! request)|wrong|expired|revoked|unknown|missing|malformed|not valid|inactive)';
const CREDENTIAL = '\\b(?:credentials?|tokens?|api.?keys?|keys?|sessions?|signature|login)\\b';
const AGAINST_CREDENTIAL = new RegExp(
  `${FAULT}.{0,40}${CREDENTIAL}|${CREDENTIAL}.{0,40}${FAULT}|\\b(?:unauthenticated|not.authenticated|not.logged.in|not_authed|log in first|to be logged in|sign in)\\b`,
  'i',
);

export const isAgainstCredential = (said: string): boolean => AGAINST_CREDENTIAL.test(said);

/** Whether a refusal is about one permission, or comes from something in front of the provider. RFC 6750 §3.1 */
export function isAboutPermission({ headers }: Pick<Answer, 'headers'>, said: string): boolean {
  return (
    headers.has('cf-mitigated') ||
    /insufficient_scope/.test(headers.get('www-authenticate') ?? '') ||
    /scope|permission|privilege|not accessible|restricted|insufficient|policy|sso\b|saml/i.test(said)
  );
}

/** The places where providers put their words, the most telling first. */
const PLACES = [
  '/error_description',
  '/message',
  '/error/message',
  '/errors/0/message',
  '/errors/0/detail',
  '/errors/0/title',
  '/errors/0',
  '/errorMessages/0',
  '/error',
  '/err',
  '/detail',
  '/description',
  '/title',
  '/0/message',
];

export function wordsIn(payload: unknown, text: string): string {
  // A page says nothing in one sentence.
  if (payload === undefined) return text.length <= MAX_WORDS && !text.includes('<') ? text : '';
  for (const place of PLACES) {
    const value = resolvePointer(payload, place)?.value;
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return '';
}

/** One line without control characters. */
export function clean(text: string, most: number): string {
  return text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, most);
}

export function parse(text: string): unknown {
  if (isTooDeep(text)) return undefined;
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
}
