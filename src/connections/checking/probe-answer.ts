// Judges the answer to a probe: whose account it names, or what it says against the credential. decision: 026
import { resolvePointer } from '../../json/pointer.ts';
import type { Integration } from '../../kit/integration.ts';
import type { Probe } from '../../kit/manifest.ts';
import { redact } from '../../http/redact.ts';
import {
  type Answer,
  clean,
  isAboutPermission,
  isAgainstCredential,
  isTrouble,
  MAX_WORDS,
  parse,
  RATE_LIMIT,
  wordsIn,
} from '../model/refusal-words.ts';
import type { Verdict } from '../model/state.ts';

const MAX_NAME = 200;

/**
 * `secrets` are those of the credential: some providers repeat them. Only what is certainly about the credential refuses it:
 * a page in front of the provider, a missing permission and a forbidden address say nothing about a good credential.
 */
export function judge(
  answer: Answer,
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
  const isAgainst = (status === 400 || status === 403) && isAgainstCredential(said);
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

/** A provider may repeat the credential anywhere, and names are stored as they are. */
function nameAt(payload: unknown, pointer: string | undefined, secrets: readonly string[]): string | null {
  const value = pointer === undefined ? undefined : resolvePointer(payload, pointer)?.value;
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  return clean(redact(String(value), secrets), MAX_NAME) || null;
}
