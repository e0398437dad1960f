// Reads server-sent events from a fetched stream, because EventSource cannot send the session token.
// https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
export interface StreamEvent {
  /** Empty for a comment, which only keeps the connection alive. */
  event: string;
  data: string;
}

export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      // A frame arrives in many chunks. Only the new chunk is searched.
      const text = decoder.decode(value, { stream: true });
      const blocks = text.includes('\n') ? (rest + text).split('\n\n') : [rest + text];
      rest = blocks.pop() ?? '';
      for (const block of blocks) yield parseBlock(block);
    }
  } finally {
    reader.releaseLock();
    await body.cancel().catch(() => undefined);
  }
}

function parseBlock(block: string): StreamEvent {
  let event = '';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const [, field = '', value = ''] = /^([a-z]+): ?([^]*)$/.exec(line) ?? [];
    if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
  }
  return { event, data: data.join('\n') };
}
