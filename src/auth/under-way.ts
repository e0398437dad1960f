// Ends a request of the portal API when the access of its person ends. reference: People; decision: 018
import type { MiddlewareHandler } from 'hono';
import { accessEnded } from '../http/errors.ts';
import { endWithStream } from './ending-stream.ts';
import type { RunningWork, Work } from './running-work.ts';

/** What a route may say of its request. */
export interface UnderWay {
  /** The person is known, so the request runs for them from now on. */
  enter(userId: string): void;
  /** The person ends their own access by this request, and is told so. */
  leave(): void;
  /** Returns the body that is sent. It is cut when the access ends. */
  stream(body: ReadableStream<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>>;
}

export type UnderWayEnv = { Variables: { underWay?: UnderWay } };

export function endWithAccess({ runningWork }: { runningWork: RunningWork }): MiddlewareHandler<UnderWayEnv> {
  return async function requestUnderWay(c, next) {
    let work: Work | undefined;
    let isStreamed = false;
    const ended = Promise.withResolvers<void>();
    c.set('underWay', {
      enter(userId) {
        work?.end();
        work = runningWork.begin(userId);
        work.ended.addEventListener('abort', () => ended.resolve());
      },
      leave() {
        work?.end();
        work = undefined;
      },
      stream(body) {
        if (work === undefined) return body;
        isStreamed = true;
        return endWithStream(work, body);
      },
    });
    try {
      await Promise.race([next(), ended.promise]);
      // The route finishes in the background.
      if (work?.ended.aborted === true) {
        const { body, status, headers } = accessEnded();
        return c.json(body, status, headers);
      }
      return undefined;
    } finally {
      if (!isStreamed) work?.end();
    }
  };
}
