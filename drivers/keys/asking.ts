// What the drivers of keys share: the request that they may make, and careful readers of answers.
import { Unavailable } from '../../src/ports/unavailable.ts';

/** The guarded door of the core, for one service. */
export type Ask = (
  url: string,
  init: { method: string; headers: Record<string, string>; body: string },
) => Promise<Response>;

export function cannotReach(service: string, address: string): (cause: unknown) => never {
  return (cause) => {
    throw new Unavailable(`[${service}] ${address} cannot be reached`, { cause });
  };
}

/** Returns undefined for an answer that is not JSON. */
export async function readAnswer(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns undefined where there is no such field. */
export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([each]) => each === name)?.[1]
    : undefined;
}

/** Returns an empty text where the field is no text. */
export function readText(value: unknown, name: string): string {
  const text = field(value, name);
  return typeof text === 'string' ? text : '';
}
