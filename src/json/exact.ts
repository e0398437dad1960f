// JSON from an upstream: whatever comes, a value or an EgressFailure.
import { isTooDeep } from './json.ts';
import { EgressFailure } from '../egress/failure.ts';

// Elsewhere no integer can stand that a number of JavaScript does not hold.
const MAY_BE_TOO_LARGE = /(?:^|[[:,\s])-?\d{16}/;
const INTEGER = /^-?\d+$/;

export async function readJson(response: Response, host: string): Promise<unknown> {
  return parseUpstreamJson(await response.text(), host);
}

/** Of an integer that is too large for a number the digits are kept, as text: most are ids, and another id is none. */
export function parseUpstreamJson(text: string, host: string): unknown {
  if (isTooDeep(text)) throw new EgressFailure('bad-answer', `The answer of ${host} is nested too deeply`);
  try {
    return MAY_BE_TOO_LARGE.test(text) ? JSON.parse(text, exact) : JSON.parse(text);
  } catch (cause) {
    throw new EgressFailure('bad-answer', `The answer of ${host} is not valid JSON`, { cause });
  }
}

function exact(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const { source = '' } = context ?? {};
  return INTEGER.test(source) ? source : value;
}
