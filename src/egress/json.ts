// Reads the JSON that an upstream answered. A text that cannot be read is an EgressFailure.
import { parseExactJson, whyNotToParse } from '../json/exact.ts';
import { EgressFailure } from './failure.ts';

export async function readJson(response: Response, host: string): Promise<unknown> {
  return parseUpstreamJson(await response.text(), host);
}

export function parseUpstreamJson(text: string, host: string): unknown {
  const why = whyNotToParse(text);
  if (why !== undefined) throw new EgressFailure('bad-answer', `The answer of ${host} ${why}`);
  try {
    return parseExactJson(text);
  } catch (cause) {
    throw new EgressFailure('bad-answer', `The answer of ${host} is not valid JSON`, { cause });
  }
}
