// Says in one sentence why a service failed and what to do next. The service's own words are for the details.
import { failureWords as words } from '../texts/failure-words.ts';

/** Errors of services begin with the status. Returns null for an error that explains itself. */
export function explainFailure(error: string, name: string): string | null {
  const [, digits, said = ''] = /^(\d{3})(?:: ([\s\S]*))?$/.exec(error) ?? [];
  if (digits === undefined) return null;
  const code = /\b[a-z]+(?:_[a-z]+)+\b/.exec(said)?.[0] ?? '';
  const byCode = Object.hasOwn(words.codes, code) ? words.codes[code] : undefined;
  return (byCode ?? byStatus(Number(digits), said))?.(name) ?? null;
}

function byStatus(status: number, said: string): ((name: string) => string) | null {
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
