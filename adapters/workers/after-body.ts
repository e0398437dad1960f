// Work for when an answer has been read to its end, or its reader has gone. Until then a body may need its database.
import type { ExecutionContext } from './bindings.ts';

/** The platform's own: a body whose length is known keeps it. */
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
  // Either way it is over.
  context.waitUntil(
    response.body.pipeTo(writable).then(
      () => work(true),
      () => work(false),
    ),
  );
  return new Response(readable, response);
}
