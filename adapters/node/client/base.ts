// The part of the client that no description says: how a request is sent, what an error is, and how to act for an actor.
// The script beside it puts the operations behind it. decision: 069

export interface ClientOptions {
  /** The address of the gateway. */
  url: string;
  /** The service key. */
  key: string;
  /** In place of the platform's own. */
  fetch?: typeof fetch;
}

/** What the gateway answers instead of a result. */
export class GatewayError extends Error {
  readonly status: number;
  /** The whole answer. */
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    // An answer is an object with these members, or what stands before the gateway has written.
    const { message, error } = (typeof body === 'object' && body !== null ? body : {}) as {
      message?: unknown;
      error?: unknown;
    };
    const said = [message, error].find((each) => typeof each === 'string');
    super(said ?? `The gateway answered ${status}`);
    this.name = 'GatewayError';
    this.status = status;
    this.body = body;
  }
}

export interface Ran {
  integration: string;
  tool: string;
  result: unknown;
}

/** Calls for one actor. */
export interface Acting {
  /** Runs a tool. With a key it runs once, however often it is sent. */
  run(integration: string, tool: string, args?: object, options?: { idempotencyKey?: string }): Promise<Ran>;
  /** Sends a request to the API of an integration, with the actor's credential. The path is that of the API. */
  fetch(integration: string, path: string, init?: RequestInit): Promise<Response>;
  /** For a client of MCP. */
  mcp: { url: string; headers: Record<string, string> };
}

type Query = Readonly<Record<string, string | number | undefined>>;

export function createCalls({ url, key, fetch: send = fetch }: ClientOptions) {
  const base = url.replace(/\/$/, '');
  const own = { 'x-service-api-key': key };
  const escape = encodeURIComponent;

  async function call(
    method: string,
    path: string,
    {
      query = {},
      body,
      headers = {},
    }: { query?: Query | undefined; body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<unknown> {
    const search = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${escape(value)}`],
    );
    const response = await send(`${base}${path}${search.length === 0 ? '' : `?${search.join('&')}`}`, {
      method,
      headers: { ...own, ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    let read: unknown = text;
    try {
      read = JSON.parse(text);
    } catch {
      // What stands before the gateway answers in its own words.
    }
    if (!response.ok) throw new GatewayError(response.status, read);
    return read;
  }

  function actor(externalId: string): Acting {
    const headers = { ...own, 'x-service-actor': externalId };
    return {
      async run(integration, tool, args = {}, { idempotencyKey } = {}) {
        return (await call('POST', `/rest/${escape(integration)}`, {
          body: { tool, args },
          headers: {
            ...headers,
            ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
          },
        })) as Ran;
      },
      fetch: (integration, path, init = {}) =>
        send(`${base}/c/${escape(integration)}${path.startsWith('/') ? '' : '/'}${path}`, {
          ...init,
          headers: { ...Object.fromEntries(new Headers(init.headers)), ...headers },
        }),
      mcp: { url: `${base}/mcp`, headers },
    };
  }

  return { call, actor, escape };
}
