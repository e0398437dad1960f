// Tells whether the answer to a message is JSON or a stream of events, also where the server does not say it.

type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>;

export type AnswerKind = 'json' | 'events' | 'other';

/** Programs that set no type of their own send one of these. */
const SAYS_NOTHING = new Set(['', 'text/plain', 'application/octet-stream', 'binary/octet-stream']);
/** So much of an answer is looked at. Both forms say what they are with their first letters. */
const MAX_PEEKED = 1_024;

export const mediaTypeOf = ({ headers }: Pick<Response, 'headers'>): string =>
  headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? '';

export function kindOfType(type: string): AnswerKind | 'unsaid' {
  if (type === 'text/event-stream') return 'events';
  if (type === 'application/json' || type === 'text/json' || /^application\/[\w.-]+\+json$/.test(type))
    return 'json';
  return SAYS_NOTHING.has(type) ? 'unsaid' : 'other';
}

/** Looks at the beginning of an answer. `body` is the whole of it again. */
export async function peek(body: Bytes): Promise<{ kind: AnswerKind; body: Bytes }> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const read: Uint8Array<ArrayBuffer>[] = [];
  let text = '';
  let isOver = false;
  while (!isOver && text.trim() === '' && text.length < MAX_PEEKED) {
    const { done, value } = await reader.read();
    isOver = done;
    if (value === undefined) continue;
    read.push(value);
    text += decoder.decode(value, { stream: true });
  }
  return { kind: kindOfText(text.trimStart()), body: putBack(read, reader) };
}

function kindOfText(text: string): AnswerKind {
  if (text === '' || /^[[{]/.test(text)) return 'json';
  return /^(data|event|id|retry)?:/.test(text) ? 'events' : 'other';
}

function putBack(
  read: Uint8Array<ArrayBuffer>[],
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
): Bytes {
  return new ReadableStream(
    {
      async pull(controller) {
        const first = read.shift();
        const { done, value } = first === undefined ? await reader.read() : { done: false, value: first };
        if (done || value === undefined) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** The decoder of the charset that the answer names, or of UTF-8. A byte order mark is left out. */
export function decoderFor({ headers }: Pick<Response, 'headers'>): TextDecoder {
  const [, charset] = /;\s*charset="?([^";\s]+)/i.exec(headers.get('content-type') ?? '') ?? [];
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}
