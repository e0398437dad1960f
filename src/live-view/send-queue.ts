// Queues server-sent events for a viewer. The queue is bounded, so a viewer that does not read cannot fill
// the memory.
import { LIVE_VIEW_QUEUE_BYTES } from './limits.ts';

type Bytes = Uint8Array<ArrayBuffer>;

export interface Outbox {
  readonly body: ReadableStream<Bytes>;
  /** Queues one event with one line of data; returns false when it does not fit. */
  send(event: string, data: string | Bytes): boolean;
  comment(text: string): void;
  /** Queues the last event, which always fits. */
  end(event: string, data: string): void;
}

const encoder = new TextEncoder();
const LINE_END = encoder.encode('\n\n');

export function createOutbox(onGone: () => void): Outbox {
  let controller: ReadableStreamDefaultController<Bytes> | null = null;
  const body = new ReadableStream<Bytes>(
    {
      start: (given) => void (controller = given),
      cancel() {
        // The stream is closed, so nothing can be queued any more.
        controller = null;
        onGone();
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: LIVE_VIEW_QUEUE_BYTES }),
  );

  function put(chunk: Bytes): boolean {
    const room = controller?.desiredSize ?? null;
    if (room === null || room < chunk.byteLength) return false;
    controller?.enqueue(chunk);
    return true;
  }

  return {
    body,
    send: (event, data) => put(frame(event, typeof data === 'string' ? encoder.encode(data) : data)),
    comment: (text) => void put(encoder.encode(`: ${text}\n\n`)),
    end(event, data) {
      controller?.enqueue(frame(event, encoder.encode(data)));
      controller?.close();
      controller = null;
    },
  };
}

/** Passes the data on unparsed: a frame is not read between the browser and the viewer. */
function frame(event: string, data: Bytes): Bytes {
  const head = encoder.encode(`event: ${event}\ndata: `);
  const whole = new Uint8Array(head.byteLength + data.byteLength + LINE_END.byteLength);
  whole.set(head);
  whole.set(data, head.byteLength);
  whole.set(LINE_END, head.byteLength + data.byteLength);
  return whole;
}
