// Parses JSON from an upstream. A text that is not JSON throws an EgressFailure.
import { isTooDeep } from './json.ts';
import { EgressFailure } from '../egress/failure.ts';

// Finds every place where an integer could exceed what a JavaScript number holds.
const MAY_BE_TOO_LARGE = /(?:^|[[:,\s])-?\d{16}/;
const INTEGER = /^-?\d+$/;

export async function readJson(response: Response, host: string): Promise<unknown> {
  return parseUpstreamJson(await response.text(), host);
}

/** Keeps an integer that is too large for a number as text. Most are ids, and a rounded id is wrong. */
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
