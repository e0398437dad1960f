// Keeps one channel to the gateway: begins it, begins it again when the line drops, and says when it is over.
// spec: Live-view browser channel
import { ApiError } from '../../api/client.ts';
import { attach, type Attached, detach } from '../../api/live.ts';
import { type Channel, type End, type Message, openChannel } from '../wire/channel.ts';

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 8000;

export interface Connection {
  /** Null while there is none. */
  channel: () => Channel | null;
  attached: () => Attached | null;
  /** Begins anew, whatever it was that ended it. */
  restart: () => void;
  close: () => void;
}

interface Options {
  base: string;
  /** Before the first stream: the gateway sends its browser where the person wants to go. */
  begin: (attached: Attached) => Promise<void>;
  onPhase: (phase: 'connecting' | 'busy' | 'reconnecting') => void;
  onReady: (channel: Channel) => void;
  onMessage: (message: Message) => void;
  onOver: (end: { reason: 'closed'; data: string } | { reason: 'refused'; error: ApiError }) => void;
}

// docs/live-view.md: a gateway that restarts, a line that was too slow for a moment, or a page before this one that
// left late.
const isPassing = (end: End) => end.reason === 'closed' && /"(stopped|too-slow|detached)"/.test(end.data);

export function createConnection(options: Options): Connection {
  const { base, begin, onPhase, onReady, onMessage, onOver } = options;
  let channel: Channel | null = null;
  let attached: Attached | null = null;
  let begun = false;
  let closed = false;
  let tries = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  // Of what an earlier attempt still has to say, nothing counts.
  let attempt = 0;

  async function open(): Promise<void> {
    attempt += 1;
    const mine = attempt;
    const isCurrent = () => mine === attempt && !closed;
    try {
      const now = await attach(base);
      if (!isCurrent()) return;
      attached = now;
      if (!begun) await begin(now);
      if (!isCurrent()) return;
      begun = true;
      const opening: Channel = openChannel(now, {
        onReady: () => {
          if (!isCurrent()) return;
          tries = 0;
          onReady(opening);
        },
        onMessage: (message) => isCurrent() && onMessage(message),
        onBusy: () => isCurrent() && onPhase('busy'),
        onEnd: (end) => isCurrent() && ended(end),
      });
      channel = opening;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (isCurrent()) ended(error.status === 0 ? { reason: 'dropped' } : { reason: 'refused', error });
    }
  }

  function ended(end: End): void {
    channel = null;
    // A channel that was reaped meanwhile is simply attached again.
    const isStale = end.reason === 'refused' && end.error.status === 400 && tries === 0 && begun;
    if (end.reason !== 'dropped' && !isStale && !isPassing(end)) return onOver(end);
    onPhase('reconnecting');
    timer = setTimeout(() => void open(), Math.min(FIRST_RETRY_MS * 2 ** tries, LAST_RETRY_MS));
    tries += 1;
  }

  function atOnce(): void {
    if (channel !== null || closed) return;
    clearTimeout(timer);
    void open();
  }

  function onOnline(): void {
    // Only what waits for its next try: an attempt under way finds out by itself.
    if (tries > 0) atOnce();
  }
  window.addEventListener('online', onOnline);
  void open();

  return {
    channel: () => channel,
    attached: () => attached,
    restart() {
      begun = false;
      tries = 0;
      onPhase('connecting');
      atOnce();
    },
    close() {
      closed = true;
      clearTimeout(timer);
      window.removeEventListener('online', onOnline);
      channel?.close();
      if (attached !== null) void detach(attached);
    },
  };
}
