// Turns an async iterable into a stream that asks for one piece at a time.
type Bytes = Uint8Array<ArrayBuffer>;

export function toStream(pieces: AsyncIterable<Bytes>): ReadableStream<Bytes> {
  const iterator = pieces[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      async pull(controller) {
        const next = await iterator.next();
        if (next.done === true) controller.close();
        else controller.enqueue(next.value);
      },
      async cancel() {
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
