// Judges the answer to a probe: whose account it names, or what it says against the credential. decision: 026
import { parseExactJson } from '../../json/exact.ts';
import { isTooDeep } from '../../json/json.ts';
import { resolvePointer } from '../../json/pointer.ts';
import type { Integration } from '../../kit/integration.ts';
import type { Probe } from '../../kit/manifest.ts';
import { redact } from '../../http/redact.ts';
import type { Verdict } from '../model/state.ts';

export interface ProbeAnswer {
  status: number;
  headers: Headers;
  text: string;
}

const MAX_WORDS = 300;
const MAX_NAME = 200;

/**
 * `secrets` are those of the credential: some providers repeat them. Only what is certainly about the credential refuses it:
 * a page in front of the provider, a missing permission and a forbidden address say nothing about a good credential.
 */
export function judge(
  answer: ProbeAnswer,
  { displayName, auth }: Pick<Integration, 'displayName' | 'auth'>,
  probe: Probe,
  secrets: readonly string[],
): Verdict {
  const { status, text } = answer;
  const payload = parse(text);
  const said = clean(redact(wordsIn(payload, text), secrets), MAX_WORDS);
  const reason = `${displayName} answered ${status}${said === '' ? '' : `: ${said}`}`;
  const isOk = status >= 200 && status < 300;
  // A site without a session answers with its sign-in page. Any other page is from something in front of the provider.
  const isPage = payload === undefined && /^\s*</.test(text);
  if (isPage && status !== 401 && !(isOk && auth.type === 'cookie')) return { kind: 'unreachable', reason };
  if (isOk) return judgeAccount(payload, displayName, probe, said, secrets);
  if (isTrouble(answer, said)) return { kind: 'unreachable', reason };
  // A token that lacks a scope is a good token.
  if (isAboutPermission(answer, said)) return { kind: 'unclear', reason };
  if (status === 401 || probe.refused?.includes(status) === true) return { kind: 'refused', reason };
  const isAgainst = (status === 400 || status === 403) && AGAINST_CREDENTIAL.test(said);
  return { kind: isAgainst ? 'refused' : 'unclear', reason };
}

function judgeAccount(
  payload: unknown,
  displayName: string,
  probe: Probe,
  said: string,
  secrets: readonly string[],
): Verdict {
  if (probe.id === undefined && payload !== undefined) return { kind: 'ok', account: null };
  const id = nameAt(payload, probe.id, secrets);
  if (id === null) {
    if (RATE_LIMIT.test(said)) return { kind: 'unreachable', reason: `${displayName} answered: ${said}` };
    const words = said === '' ? '' : `: ${said}`;
    return { kind: 'refused', reason: `${displayName} answered without an account${words}` };
  }
  if (probe.anonymous !== undefined && id === String(probe.anonymous))
    return { kind: 'refused', reason: `${displayName} answered as to somebody who is not signed in` };
  return { kind: 'ok', account: { id, label: nameAt(payload, probe.label, secrets) ?? id } };
}

const RATE_LIMIT = /rate.?limit|too many requests|throttl|quota/i;

/** The provider asks to wait, or is broken. RFC 9110 §15.5.9, RFC 8470 §5.2, RFC 6585 §4 */
function isTrouble({ status, headers }: ProbeAnswer, said: string): boolean {
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

/** Whether a refusal is about one permission, or comes from something in front of the provider. RFC 6750 §3.1 */
function isAboutPermission({ headers }: ProbeAnswer, said: string): boolean {
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
];

function wordsIn(payload: unknown, text: string): string {
  // A page says nothing in one sentence.
  if (payload === undefined) return text.length <= MAX_WORDS && !text.includes('<') ? text : '';
  for (const place of PLACES) {
    const value = resolvePointer(payload, place)?.value;
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return '';
}

/** A provider may repeat the credential anywhere, and names are stored as they are. */
function nameAt(payload: unknown, pointer: string | undefined, secrets: readonly string[]): string | null {
  const value = pointer === undefined ? undefined : resolvePointer(payload, pointer)?.value;
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  return clean(redact(String(value), secrets), MAX_NAME) || null;
}

/** One line without control characters. */
function clean(text: string, most: number): string {
  return text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, most);
}

function parse(text: string): unknown {
  if (isTooDeep(text)) return undefined;
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
}
