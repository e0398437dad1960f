// What waits to be sent to a viewer, as server-sent events. Bounded: who does not read cannot fill the memory.
import { LIVE_VIEW_QUEUE_BYTES } from '../config/limits.ts';

type Bytes = Uint8Array<ArrayBuffer>;

export interface Outbox {
  readonly body: ReadableStream<Bytes>;
  /** One event with one line of data; false when it no longer fits. */
  send(event: string, data: string | Bytes): boolean;
  comment(text: string): void;
  /** The last event, which always fits. */
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
        // Nothing can be put into it any more, not even an end.
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

/** The data goes through as it is: nothing reads a frame between the browser and the viewer. */
function frame(event: string, data: Bytes): Bytes {
  const head = encoder.encode(`event: ${event}\ndata: `);
  const whole = new Uint8Array(head.byteLength + data.byteLength + LINE_END.byteLength);
  whole.set(head);
  whole.set(data, head.byteLength);
  whole.set(LINE_END, head.byteLength + data.byteLength);
  return whole;
}
