// What an upstream or a provider says when it refuses is shown, logged and kept: a secret that it repeats is left out.

// A shorter one may stand in any sentence.
const SHORTEST = 8;

/** As they were sent, and as a form spells them. */
export function withhold(text: string, secrets: readonly string[]): string {
  const spelled = secrets
    .filter((secret) => secret.length >= SHORTEST)
    .flatMap((secret) => [secret, new URLSearchParams([['', secret]]).toString().slice(1)]);
  return spelled.reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
}

/** The same for the answer of an upstream that says no. It is read when somebody reads it. */
export function withholdFrom(response: Response, secrets: readonly string[]): Response {
  if (response.body === null) return response;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const bytes = new Uint8Array(await response.arrayBuffer());
        const text = new TextDecoder().decode(bytes);
        const rest = withhold(text, secrets);
        controller.enqueue(rest === text ? bytes : new TextEncoder().encode(rest));
        controller.close();
      },
      cancel: (reason) => response.body?.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  const { status, headers } = response;
  return new Response(body, { status, headers });
}
