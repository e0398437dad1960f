// Where the shown page goes: back, forward, again, or to an address the person gives.
import type { Channel } from '../wire/channel.ts';

export interface Navigation {
  back: () => void;
  forward: () => void;
  reload: () => void;
  go: (address: string) => void;
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
      const url = /^(https?:\/\/|about:blank$)/i.test(address) ? address : `https://${address}`;
      if (URL.canParse(url)) send('Page.navigate', { url });
    },
  };
}
