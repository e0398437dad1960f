// Says why a service failed and what to do next, each in one sentence. The service's own words are for the details.
import { failureWords as words } from '../texts/failure-words.ts';

export interface Explained {
  /** What happened. A row of a list has room for no more. */
  what: string;
  next: string;
}

const STOPPED_SCRIPT = /^The script threw at line (\d+): (?=\d{3}: )/;

/** Tells whether the gateway refused the call itself, by a code or words of its own. */
export const isOwnRefusal = (error: string): boolean => Object.hasOwn(words.refusals, error);

/** Errors of services begin with the status. Returns null for an error that explains itself. */
export function explainFailure(error: string, name: string): Explained | null {
  if (isOwnRefusal(error)) return words.refusals[error]?.(name) ?? null;
  const line = STOPPED_SCRIPT.exec(error)?.[1];
  if (line !== undefined) return words.script(line);
  const [, digits, said = ''] = /^(\d{3})(?:: ([\s\S]*))?$/.exec(error) ?? [];
  if (digits === undefined) return null;
  const code = /\b[a-z]+(?:_[a-z]+)+\b/.exec(said)?.[0] ?? '';
  const byCode = Object.hasOwn(words.codes, code) ? words.codes[code] : undefined;
  return (byCode ?? byStatus(Number(digits), said))?.(name) ?? null;
}

function byStatus(status: number, said: string): ((name: string) => Explained) | null {
  // GitHub and others limit with 403.
  if (status === 429 || /rate.?limit/i.test(said)) return words.limited;
  if (status >= 500) return words.failed;
  switch (status) {
    case 401:
      return words.signIn;
    case 403:
      return words.forbidden;
    case 404:
    case 410:
      return words.missing;
    case 409:
      return words.clash;
    case 400:
    case 422:
      return words.refused;
    default:
      return null;
  }
}
