// Reads the JSON that an upstream answered. A text that cannot be read is an EgressFailure.
import { parseExactJson } from '../json/exact.ts';
import { isTooDeep } from '../json/json.ts';
import { EgressFailure } from './failure.ts';

export async function readJson(response: Response, host: string): Promise<unknown> {
  return parseUpstreamJson(await response.text(), host);
}

export function parseUpstreamJson(text: string, host: string): unknown {
  if (isTooDeep(text)) throw new EgressFailure('bad-answer', `The answer of ${host} is nested too deeply`);
  try {
    return parseExactJson(text);
  } catch (cause) {
    throw new EgressFailure('bad-answer', `The answer of ${host} is not valid JSON`, { cause });
  }
}
