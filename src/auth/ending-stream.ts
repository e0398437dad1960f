// Cuts a body when the access of its person ends, and keeps the work registered until the body is sent.
// reference: People; decision: 018
import type { RunningWork, Work } from './running-work.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** For a body that is sent after the work of its request. */
export const sendWhileAllowed =
  (runningWork: RunningWork, userId: string, work: Work) =>
  (body: ReadableStream<Bytes>): ReadableStream<Bytes> =>
    endWithStream(work.ended.aborted ? work : runningWork.begin(userId), body);

/** The work ends with the stream: when it was read, when its reader has gone, or when it was cut. */
export function endWithStream(work: Work, body: ReadableStream<Bytes>): ReadableStream<Bytes> {
  const { ended } = work;
  const reader = body.getReader();
  return new ReadableStream<Bytes>(
    {
      start(controller) {
        const cut = () => {
          work.end();
          controller.error(ended.reason);
          reader.cancel(ended.reason).catch(() => {});
        };
        if (ended.aborted) cut();
        else ended.addEventListener('abort', cut, { once: true });
      },
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (ended.aborted) return;
          if (!done) return controller.enqueue(value);
          work.end();
          controller.close();
        } catch (error) {
          work.end();
          throw error;
        }
      },
      async cancel(reason) {
        work.end();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
