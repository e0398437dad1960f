// Reads why the gateway did not run a call, as far as the person can do something about it. reference: REST
import type { Answer } from '../../api/tools.ts';
import { member, parse, textMember } from './read-json.ts';

export type Refusal =
  | { kind: 'not-connected' }
  /** `approval` is the id of the question. */
  | { kind: 'asked'; approval: string }
  | { kind: 'blocked' | 'denied'; message: string };

export function readRefusal({ status, text }: Answer): Refusal | null {
  if (status !== 403 && status !== 409) return null;
  const body = parse(text);
  const message = textMember(body, 'message');
  switch (textMember(body, 'error')) {
    case 'APPROVAL_REQUIRED':
      return { kind: 'asked', approval: textMember(member(body, 'approval'), 'id') };
    case 'BLOCKED':
      return { kind: 'blocked', message };
    case 'DENIED':
      return { kind: 'denied', message };
    default:
      return status === 409 && !textMember(body, 'error').endsWith('_ACCOUNT')
        ? { kind: 'not-connected' }
        : null;
  }
}

/** Says in sentences why a call failed. Empty without an explanation, which another program may have answered. */
export function readFailure({ status, text }: Answer): string[] {
  if (status < 400) return [];
  const body = parse(text);
  const error = textMember(body, 'error');
  const message = textMember(body, 'message');
  // A code is for programs, and comes with a message.
  return [/^[A-Z_]+$/.test(error) ? '' : error, message].filter((each) => each !== '');
}
