// Splits the paths behind /c/<integration>. decision: 034
import type { RawPath } from '../calls/wire.ts';

const PREFIX = '/c/';

/** Null when the raw target is not a proxy path. */
export function splitProxyPath(target: string): RawPath | null {
  if (!target.startsWith(PREFIX)) return null;
  const question = target.indexOf('?');
  const path = question === -1 ? target : target.slice(0, question);
  const slash = path.indexOf('/', PREFIX.length);
  return {
    integration: path.slice(PREFIX.length, slash === -1 ? path.length : slash),
    tail: slash === -1 ? '' : path.slice(slash),
    search: question === -1 ? '' : target.slice(question),
  };
}

export function isAbsoluteProxyPath(target: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*\/c\//i.test(target);
}
