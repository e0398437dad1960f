// JSON from an upstream: whatever comes, a value or an EgressFailure.
import { isTooDeep } from '../json.ts';
import { EgressFailure } from './failure.ts';

export async function readJson(response: Response, host: string): Promise<unknown> {
  return parseUpstreamJson(await response.text(), host);
}

export function parseUpstreamJson(text: string, host: string): unknown {
  if (isTooDeep(text)) throw new EgressFailure('bad-answer', `The answer of ${host} is nested too deeply`);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new EgressFailure('bad-answer', `The answer of ${host} is not valid JSON`, { cause });
  }
}
