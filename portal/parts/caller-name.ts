// Names who asked for a call.
import type { Caller } from '../api/approvals.ts';
import { texts } from '../texts/texts.ts';
import { plainName } from './plain-name.ts';

const words = texts.asking.callers;

export function callerName({ kind, name }: Caller): string {
  const shown = plainName(name ?? '');
  switch (kind) {
    case 'session':
      return words.session;
    case 'key':
      return words.key;
    case 'agent-key':
      return shown === '' ? words.unnamedKey : words.namedKey(shown);
    case 'client':
      return shown === '' ? words.unnamedClient : shown;
  }
}
