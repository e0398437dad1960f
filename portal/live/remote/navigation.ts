// Navigates the shown page: back, forward, reload, or to an address.
import type { Channel } from '../wire/channel.ts';

// Chromium accepts a host with a space; the gateway refuses it.
const SITE = /^(https?:\/\/[^\s/?#]+([/?#]|$)|about:blank$)/i;

export interface Navigation {
  back: () => void;
  forward: () => void;
  reload: () => void;
  /** Returns false when the text is not a website's address. */
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
      // The browser's protocol defines the result of this command.
      const history = (await channel()?.call('Page.getNavigationHistory', {}, session)) as
        | History
        | undefined;
      const entry = history?.entries[history.currentIndex + by];
      if (entry !== undefined) channel()?.send('Page.navigateToHistoryEntry', { entryId: entry.id }, session);
    } catch {
      // The page or the channel has closed, so there is nothing to navigate.
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
