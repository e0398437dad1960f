// Writes the answer to the caller: the head goes out together with the first bytes, in one write.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { endAfterUpload, isUploaded } from './upload.ts';

export interface Answer {
  begin(status: number, message: string, headers: string[]): void;
  /** False when the caller reads more slowly than the upstream sends. */
  write(chunk: Buffer): boolean;
  /** `done` runs when all of the body is with the caller's socket. A caller that speaks HTTP/1.0 gets no trailers. */
  end(done?: () => void, trailers?: Record<string, string>): void;
}

export function createAnswer(incoming: IncomingMessage, outgoing: ServerResponse): Answer {
  let waits = false;
  let held: Buffer | null = null;

  function send(): void {
    if (!waits || outgoing.destroyed) return;
    waits = false;
    if (held === null) outgoing.flushHeaders();
    else outgoing.write(held);
    held = null;
  }

  return {
    begin(status, message, headers) {
      outgoing.writeHead(status, message, headers);
      waits = true;
      // The head waits for one turn only: an event stream may be silent for long, and its caller has to see that it began.
      process.nextTick(send);
    },

    write(chunk) {
      if (waits && held === null) {
        held = chunk;
        return true;
      }
      send();
      return outgoing.write(chunk);
    },

    end(done, trailers) {
      if (trailers !== undefined) outgoing.addTrailers(trailers);
      if (!isUploaded(incoming)) send();
      waits = false;
      if (held === null) endAfterUpload(incoming, outgoing);
      else outgoing.end(held);
      held = null;
      done?.();
    },
  };
}
