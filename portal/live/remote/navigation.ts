// Where the shown page goes: back, forward, again, or to an address the person gives.
import type { Channel } from '../wire/channel.ts';

// Chromium takes a host with a space in it for one; the gateway does not.
const SITE = /^(https?:\/\/[^\s/?#]+([/?#]|$)|about:blank$)/i;

export interface Navigation {
  back: () => void;
  forward: () => void;
  reload: () => void;
  /** False for what is no address of a site. */
  go: (address: string) => boolean;
}

interface History {
  currentIndex: number;
  entries: readonly { id: number }[];
}

export function createNavigation(channel: () => Channel | null, active: () => string): Navigation {
  const send = (method: string, params = {}) => channel()?.send(method, params, active());

  async function step(by: number): Promise<void> {
    const session = active();
    try {
      // The answer of this command, as the browser's protocol has it.
      const history = (await channel()?.call('Page.getNavigationHistory', {}, session)) as
        | History
        | undefined;
      const entry = history?.entries[history.currentIndex + by];
      if (entry !== undefined) channel()?.send('Page.navigateToHistoryEntry', { entryId: entry.id }, session);
    } catch {
      // The page or the channel is gone, and with it the question.
    }
  }

  return {
    back: () => void step(-1),
    forward: () => void step(1),
    reload: () => send('Page.reload'),
    go(address) {
      const url = /^([a-z][a-z\d+.-]*:\/\/|about:blank$)/i.test(address) ? address : `https://${address}`;
      if (!URL.canParse(url) || !SITE.test(url)) return false;
      send('Page.navigate', { url });
      return true;
    },
  };
}
