// A person's channel: attached, watched by one stream at a time, closed with that stream. reference: Live view
import type { RunningWork } from '../auth/running-work.ts';
import type { Ports } from '../ports/ports.ts';
import { LIVE_VIEW_KEEPALIVE_MS, LIVE_VIEW_REAP_MS } from './limits.ts';
import type { BrowserChannel, BrowserSession } from '../ports/browser.ts';
import type { CommandItem } from './batch.ts';
import { createOutbox, type Outbox } from './send-queue.ts';

/** Why a stream has ended. */
type Reason = 'access-ended' | 'detached' | 'taken-over' | 'browser-ended' | 'too-slow' | 'stopped';

interface Channel {
  stream: { outbox: Outbox; gone: AbortController } | null;
  /** Set while the channel waits for its first stream. */
  reaper: AbortController | null;
  /** The connection to the browser, once a command has asked for it. */
  browser: Promise<BrowserChannel> | null;
  readonly closed: AbortController;
  /** The channel is work of its person. */
  endWork: () => void;
}

export interface Channels {
  attach(userId: string): void;
  isOpen(userId: string): boolean;
  /** The stream's body; null when there is no channel. */
  stream(userId: string): ReadableStream<Uint8Array<ArrayBuffer>> | null;
  /** False when the channel has been closed in the meantime. */
  send(userId: string, session: BrowserSession, items: readonly CommandItem[]): Promise<boolean>;
  detach(userId: string): void;
  /** Tells the viewer that its browser has ended. */
  end(userId: string): void;
  closeAll(): void;
}

type Needs = Pick<Ports, 'clock'> & {
  onClosed: (userId: string) => void;
  runningWork: Pick<RunningWork, 'begin'>;
};

export function createChannels({ clock, onClosed, runningWork }: Needs): Channels {
  const channels = new Map<string, Channel>();

  function create(userId: string): Channel {
    const work = runningWork.begin(userId);
    const channel: Channel = {
      stream: null,
      reaper: null,
      browser: null,
      closed: new AbortController(),
      endWork: () => work.end(),
    };
    work.ended.addEventListener('abort', () => closeChannel(userId, channel, 'access-ended'));
    channels.set(userId, channel);
    return channel;
  }

  function closeChannel(userId: string, channel: Channel, reason: Reason): void {
    if (channel.closed.signal.aborted) return;
    channel.closed.abort();
    channel.endWork();
    channels.delete(userId);
    onClosed(userId);
    channel.reaper?.abort();
    endStream(channel, reason);
    // A browser that ended in between has closed its channel itself.
    channel.browser?.then(
      (browser) => browser.close(),
      () => {},
    );
  }

  function endStream(channel: Channel, reason: Reason): void {
    const { stream } = channel;
    if (stream === null) return;
    channel.stream = null;
    stream.gone.abort();
    stream.outbox.end('closed', JSON.stringify({ reason }));
  }

  async function reap(userId: string, channel: Channel): Promise<void> {
    const reaper = new AbortController();
    channel.reaper = reaper;
    await clock.sleep(LIVE_VIEW_REAP_MS, reaper.signal);
    if (!reaper.signal.aborted) closeChannel(userId, channel, 'detached');
  }

  async function keepAlive({ outbox, gone }: NonNullable<Channel['stream']>): Promise<void> {
    for (;;) {
      await clock.sleep(LIVE_VIEW_KEEPALIVE_MS, gone.signal);
      if (gone.signal.aborted) return;
      outbox.comment('keepalive');
    }
  }

  function enter(userId: string, channel: Channel, session: BrowserSession): Promise<BrowserChannel> {
    void session.closed.then(() => closeChannel(userId, channel, 'browser-ended'));
    return session.openChannel((message) => {
      // Without a stream nobody waits for the browser.
      if (channel.stream?.outbox.send('cdp', message) === false) closeChannel(userId, channel, 'too-slow');
    });
  }

  return {
    attach(userId) {
      const channel = channels.get(userId) ?? create(userId);
      channel.reaper?.abort();
      if (channel.stream === null) void reap(userId, channel);
    },

    isOpen: (userId) => channels.has(userId),

    stream(userId) {
      const channel = channels.get(userId);
      if (channel === undefined) return null;
      channel.reaper?.abort();
      endStream(channel, 'taken-over');
      const outbox = createOutbox(() => {
        if (channel.stream === stream) closeChannel(userId, channel, 'detached');
      });
      const stream = { outbox, gone: new AbortController() };
      channel.stream = stream;
      outbox.send('ready', '{}');
      void keepAlive(stream);
      // The new viewer needs the list of pages.
      channel.browser?.then(
        (browser) => browser.announce(),
        () => {},
      );
      return outbox.body;
    },

    async send(userId, session, items) {
      const channel = channels.get(userId);
      if (channel === undefined) return false;
      channel.browser ??= enter(userId, channel, session);
      const browser = await channel.browser;
      if (channel.closed.signal.aborted) return false;
      for (const item of items) {
        if (item.kind === 'command') browser.send(item.command);
        else channel.stream?.outbox.send('cdp', JSON.stringify(item.answer));
      }
      return true;
    },

    detach(userId) {
      const channel = channels.get(userId);
      if (channel !== undefined) closeChannel(userId, channel, 'detached');
    },

    end(userId) {
      const channel = channels.get(userId);
      if (channel !== undefined) closeChannel(userId, channel, 'browser-ended');
    },

    closeAll() {
      for (const [userId, channel] of channels) closeChannel(userId, channel, 'stopped');
    },
  };
}
