// Unpacks the body of an upstream's answer and stops at the limit, so that a compressed bomb stops there too.
import type { Lease } from '../memory/budget.ts';
import type { HeavyTurn } from '../memory/heavy-turns.ts';
import { HEAVY_TEXT } from '../memory/limits.ts';
import { EgressFailure } from './failure.ts';

type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>;

export interface Limits {
  maxBytes: number;
  signal: AbortSignal;
  /** The answer is charged to this lease, and is not read on while the lease waits for space. */
  lease: Lease | undefined;
  /** The end of a large body waits for this, because its reader parses the whole then. */
  heavyTurn?: HeavyTurn | undefined;
  /** Called when the body has ended in any way. */
  onEnd: () => void;
}

/** The host is named in the messages of failures. */
export function limitBytes(
  body: Bytes,
  encoding: string | null,
  host: string,
  { maxBytes, signal, lease, heavyTurn, onEnd }: Limits,
): Bytes {
  const reader = unpack(body, encoding, host).getReader();
  let size = 0;

  return new ReadableStream({
    async pull(controller) {
      try {
        const space = lease?.waitForSpace(signal);
        if (space !== undefined) await space;
        const { done, value } = await reader.read();
        if (done) {
          onEnd();
          if (size >= HEAVY_TEXT && lease !== undefined) await heavyTurn?.(lease.userId);
          return controller.close();
        }
        size += value.byteLength;
        if (size > maxBytes)
          throw new EgressFailure('too-large', `The answer of ${host} is larger than ${maxBytes} bytes`);
        lease?.chargeRead(value);
        if (lease?.isOverBudget() === true)
          throw new EgressFailure(
            'too-large',
            `The answer of ${host} takes more memory than one call may use`,
          );
        controller.enqueue(value);
      } catch (error) {
        onEnd();
        await reader.cancel().catch(() => {});
        throw explain(error, host, signal);
      }
    },
    cancel(reason) {
      onEnd();
      return reader.cancel(reason);
    },
  });
}

function unpack(body: Bytes, encoding: string | null, host: string): Bytes {
  switch (encoding?.trim().toLowerCase() ?? '') {
    case '':
    case 'identity':
      return body;
    case 'gzip':
    case 'x-gzip':
      return body.pipeThrough(new DecompressionStream('gzip'));
    case 'deflate':
      return body.pipeThrough(new DecompressionStream('deflate'));
    default:
      throw new EgressFailure('bad-answer', `${host} responded in an encoding that was not requested`);
  }
}

function explain(error: unknown, host: string, signal: AbortSignal): unknown {
  if (error instanceof EgressFailure) return error;
  if (signal.aborted)
    return new EgressFailure('timeout', `${host} did not finish its response in time`, { cause: error });
  return new EgressFailure('bad-answer', `The answer of ${host} broke off or could not be decompressed`, {
    cause: error,
  });
}
