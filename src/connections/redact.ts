// What an upstream or a provider says when it refuses is shown, logged and kept: a secret that it repeats is left out.
import { parseJson } from '../json/json.ts';

// A shorter one may stand in any sentence.
const SHORTEST = 8;
// Looking for all of a secret of kilobytes takes minutes in a text that is made for it: by its beginning it is known too.
const KNOWN_BY = 32;
// More of a refusal is nowhere shown.
const LONGEST = 64 * 1024;

/** As they were sent, and as a form or JSON spells them. */
export function withhold(text: string, secrets: readonly string[]): string {
  const spelled = secrets
    .filter((secret) => secret.length >= SHORTEST)
    .flatMap((secret) => [
      secret,
      new URLSearchParams([['', secret]]).toString().slice(1),
      JSON.stringify(secret).slice(1, -1),
    ]);
  return [...new Set(spelled)].reduce(without, text);
}

function without(text: string, secret: string): string {
  const beginning = secret.slice(0, KNOWN_BY);
  let rest = '';
  let from = 0;
  for (let at = text.indexOf(beginning); at !== -1; at = text.indexOf(beginning, from)) {
    rest += `${text.slice(from, at)}…`;
    from = at + beginning.length;
    while (from < text.length && text[from] === secret[from - at]) from++;
  }
  return rest + text.slice(from);
}

/** The same for the answer of an upstream that says no. It is read when somebody reads it. */
export function withholdFrom(response: Response, secrets: readonly string[]): Response {
  if (response.body === null) return response;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        controller.enqueue(new TextEncoder().encode(withheld(await response.text(), secrets)));
        controller.close();
      },
      cancel: (reason) => response.body?.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  const { status, headers } = response;
  return new Response(body, { status, headers });
}

function withheld(text: string, secrets: readonly string[]): string {
  const value = parseJson(text);
  // Which characters JSON escapes is its writer's choice (PHP writes `\/`): written again, it is always the same few.
  const said = value === undefined ? text : JSON.stringify(value);
  const rest = withhold(said.slice(0, LONGEST), secrets);
  // The beginning of JSON is none.
  return value !== undefined && said.length > LONGEST ? JSON.stringify(rest) : rest;
}
