// Removes secrets from what an upstream or a provider answers when it refuses: such texts are shown, logged and stored.
import { parseJson } from '../json/json.ts';

// A shorter secret may be part of any sentence.
const MIN_SECRET_LENGTH = 8;
// Matching a secret of kilobytes takes minutes in a text made for that, so its beginning is enough to find it.
const MATCHED_LENGTH = 32;
// Longer refusals are cut; nothing shows more of them.
const MAX_CHARACTERS = 64 * 1024;

/** Replaces each secret with `…`, as it was sent and as a form or JSON spells it. */
export function redact(text: string, secrets: readonly string[]): string {
  const spelled = secrets
    .filter((secret) => secret.length >= MIN_SECRET_LENGTH)
    .flatMap((secret) => [
      secret,
      new URLSearchParams([['', secret]]).toString().slice(1),
      encodeURIComponent(secret.toWellFormed()),
      JSON.stringify(secret).slice(1, -1),
    ]);
  return [...new Set(spelled)].reduce(remove, text);
}

function remove(text: string, secret: string): string {
  const beginning = secret.slice(0, MATCHED_LENGTH);
  let rest = '';
  let from = 0;
  for (let at = text.indexOf(beginning); at !== -1; at = text.indexOf(beginning, from)) {
    rest += `${text.slice(from, at)}…`;
    from = at + beginning.length;
    while (from < text.length && text[from] === secret[from - at]) from++;
  }
  return rest + text.slice(from);
}

/** Redacts the body of a refusal. The upstream's body is read only when the caller reads this one. */
export function redactResponse(response: Response, secrets: readonly string[]): Response {
  if (response.body === null) return response;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        controller.enqueue(new TextEncoder().encode(redactBody(await response.text(), secrets)));
        controller.close();
      },
      cancel: (reason) => response.body?.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  const { status, headers } = response;
  return new Response(body, { status, headers });
}

function redactBody(text: string, secrets: readonly string[]): string {
  const value = parseJson(text);
  // Writers of JSON escape different characters (PHP writes `\/`). Written again, only the necessary ones are escaped.
  const written = value === undefined ? text : JSON.stringify(value);
  const rest = redact(written.slice(0, MAX_CHARACTERS), secrets);
  // JSON that was cut is no longer JSON: it is answered as a JSON string.
  return value !== undefined && written.length > MAX_CHARACTERS ? JSON.stringify(rest) : rest;
}
