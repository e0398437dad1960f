// Runs work after a response has been read to its end, or after its reader has gone. Until then the body may
// need its database.
import type { ExecutionContext } from './bindings.ts';

/** The platform's own stream class: a body of known length keeps its length. */
declare const FixedLengthStream: new (length: number) => TransformStream;

export function afterBody(
  response: Response,
  context: ExecutionContext,
  work: (isWhole: boolean) => Promise<void>,
): Response {
  if (response.body === null) {
    context.waitUntil(work(true));
    return response;
  }
  const length = response.headers.get('content-length');
  const { readable, writable } =
    length === null ? new TransformStream() : new FixedLengthStream(Number(length));
  // Both outcomes end the response.
  context.waitUntil(
    response.body.pipeTo(writable).then(
      () => work(true),
      () => work(false),
    ),
  );
  return new Response(readable, response);
}
