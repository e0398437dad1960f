// Keeps a channel to the gateway open: attaches, reconnects after a break, and reports when it is over.
// reference: Live view
import { ApiError } from '../../api/client.ts';
import { attach, type Attached, detach } from '../../api/live.ts';
import { type Channel, type End, type Message, openChannel } from '../wire/channel.ts';

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 8000;

export interface Connection {
  /** Null while no channel is open. */
  channel: () => Channel | null;
  attached: () => Attached | null;
  /** Starts again, whatever ended the channel. */
  restart: () => void;
  close: () => void;
}

interface Options {
  base: string;
  /** The label of the account that the viewer shows. Empty without one. */
  account: string;
  /** Runs before the first stream: the gateway sends the browser where the person wants to go. */
  begin: (attached: Attached) => Promise<void>;
  onPhase: (phase: 'connecting' | 'busy' | 'reconnecting') => void;
  onReady: (channel: Channel) => void;
  onMessage: (message: Message) => void;
  onOver: (end: { reason: 'closed'; data: string } | { reason: 'refused'; error: ApiError }) => void;
}

// The channel can be opened again after a gateway restart, a moment of slow network, or the late detach of an earlier
// page. docs/live-view.md
const canReconnect = (end: End) => end.reason === 'closed' && /"(stopped|too-slow|detached)"/.test(end.data);

export function createConnection(options: Options): Connection {
  const { base, account, begin, onPhase, onReady, onMessage, onOver } = options;
  let channel: Channel | null = null;
  let attached: Attached | null = null;
  let begun = false;
  let closed = false;
  let tries = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  // Events of an earlier attempt are ignored.
  let attempt = 0;

  async function open(): Promise<void> {
    attempt += 1;
    const mine = attempt;
    const isCurrent = () => mine === attempt && !closed;
    try {
      const now = await attach(base, account);
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
        onEnd: (end) => isCurrent() && handleEnd(end),
      });
      channel = opening;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (isCurrent()) handleEnd(error.status === 0 ? { reason: 'dropped' } : { reason: 'refused', error });
    }
  }

  function handleEnd(end: End): void {
    channel = null;
    // The gateway reaped an idle channel. Attach again.
    const isStale = end.reason === 'refused' && end.error.status === 400 && tries === 0 && begun;
    if (end.reason !== 'dropped' && !isStale && !canReconnect(end)) return onOver(end);
    onPhase('reconnecting');
    timer = setTimeout(() => void open(), Math.min(FIRST_RETRY_MS * 2 ** tries, MAX_RETRY_MS));
    tries += 1;
  }

  function reopenNow(): void {
    if (channel !== null || closed) return;
    clearTimeout(timer);
    void open();
  }

  function onOnline(): void {
    // Only a scheduled retry runs now. A running attempt notices the network by itself.
    if (tries > 0) reopenNow();
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
      reopenNow();
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
