// Writes what a notice says. Names are those that others may have chosen, so a name that could be an address is left out.
import { shownText } from '../../kit/shown-text.ts';
import type { NoticePayload } from './payload.ts';

const MAX_NAME_CHARACTERS = 80;
/** Mail programs make a link of it. */
const LOOKS_LIKE_ADDRESS = /:\/\/|@|[^\s.]\.[^\s.]{2,}|www\./iu;

export interface NoticeText {
  title: string;
  text: string;
}

export function safeName(name: string | null | undefined, instead: string): string {
  const shown = shownText(name)?.replaceAll(/\s+/g, ' ').slice(0, MAX_NAME_CHARACTERS) ?? null;
  return shown === null || LOOKS_LIKE_ADDRESS.test(shown) ? instead : shown;
}

export function describeNotice({ kind, name, by }: NoticePayload): NoticeText {
  switch (kind) {
    case 'approval':
      return {
        title: 'A call waits for your approval',
        text: `${safeName(by, 'An agent')} wants to use ${safeName(name, 'an integration')}.`,
      };
    case 'connection':
      return {
        title: 'An account needs you',
        text: `${safeName(name, 'An integration')} no longer accepts your account. Reconnect it.`,
      };
    case 'import':
      return {
        title: 'An imported integration has changed',
        text: `${safeName(name, 'An integration')} changed its tools. Review the changes.`,
      };
    case 'key':
      return {
        title: 'A key expires soon',
        text: `The key ${safeName(name, 'of one of your agents')} expires within 7 days.`,
      };
    case 'destination':
      return {
        title: 'An address for notices was disabled',
        text: `${safeName(name, 'One of your addresses')} does not take what is sent, so nothing is sent there any more.`,
      };
    case 'invitation':
      return {
        title: 'You are invited to a tool gateway',
        text: `${safeName(by, 'An administrator')} has invited you. Sign in with this e-mail address.`,
      };
    case 'test':
      return { title: 'A test', text: 'Notices reach you here.' };
  }
}
