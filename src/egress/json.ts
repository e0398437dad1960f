// JSON from an upstream: whatever comes, a value or an EgressFailure.
import { EgressFailure } from './failure.ts';

// Deeper than any API goes, shallower than what overflows a stack when it is written again.
const DEEPEST = 500;

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

function isTooDeep(text: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (quoted) {
      if (unit === 0x5c) index++;
      else if (unit === 0x22) quoted = false;
    } else if (unit === 0x22) quoted = true;
    else if (unit === 0x5b || unit === 0x7b) {
      if (++depth > DEEPEST) return true;
    } else if (unit === 0x5d || unit === 0x7d) depth--;
  }
  return false;
}
