// The client of a tool gateway for service keys. Written by `npm run client` from /openapi.json: do not change it here.

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

function createCalls({ url, key, fetch: send = fetch }: ClientOptions) {
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

export type ActorPage = { actors: (Actor)[]; nextCursor?: string };

export type Actor = { externalId: string; name: string | null; /** Accounts that are connected */ connections: number; /** Unix seconds */ createdAt: number };

export type ActorConnections = { connections: ({ integration: string; status: "ok" | "unverified" | "reconnect" | "unreachable"; /** Where the integration has several accounts */ label?: string; account?: { id: string; label: string }; /** Unix seconds */ connectedAt: number })[] };

export type Success = { success: true };

export type ActorUsage = { calls: number; failed: number; integrations: ({ name: string; calls: number; failed: number })[] };

export interface GatewayClient {
  /** Calls for one actor. */
  actor(externalId: string): Acting;
  /** All actors, page by page. */
  everyActor(): AsyncGenerator<Actor>;
  /** List your actors. */
  listActors(query?: { limit?: number; cursor?: string; query?: string }): Promise<ActorPage>;
  /** Create an actor, or name an existing one. */
  createActor(body: { externalId: string; /** What the page of a connect link calls the actor. Absent shows the externalId */ name?: string }): Promise<Actor>;
  /** Show an actor. */
  getActor(externalId: string): Promise<Actor>;
  /** Erase an actor, with all that is stored of it. */
  eraseActor(externalId: string): Promise<{ status: "deleting" }>;
  /** List what an actor has connected. */
  listActorConnections(externalId: string): Promise<ActorConnections>;
  /** Disconnect an integration of an actor, and revoke it at the provider. */
  disconnectActor(externalId: string, integration: string, query?: { account?: string }): Promise<Success>;
  /** Make a link with which the browser of an actor connects an account. */
  createActorLink(externalId: string, body: { integration: string; /** One of the addresses of the key, exactly */ returnTo: string; /** The label of the account, for a second one */ account?: string }): Promise<{ /** Comes back to `returnTo` as `link`, and in events */ id: string; /** For the browser of the actor only */ url: string; /** Unix seconds */ expiresAt: number }>;
  /** Count the calls for an actor. */
  readActorUsage(externalId: string, query?: { days?: number }): Promise<ActorUsage>;
}

export function createClient(options: ClientOptions): GatewayClient {
  const { actor, call, escape } = createCalls(options);
  const client: GatewayClient = {
    actor,
    async *everyActor() {
      let cursor: string | undefined;
      do {
        const page = await client.listActors(cursor === undefined ? {} : { cursor });
        yield* page.actors;
        cursor = page.nextCursor;
      } while (cursor !== undefined);
    },
    listActors: async (query) => (await call('GET', '/api/actors', { query })) as ActorPage,
    createActor: async (body) => (await call('POST', '/api/actors', { body })) as Actor,
    getActor: async (externalId) => (await call('GET', `/api/actors/${escape(externalId)}`)) as Actor,
    eraseActor: async (externalId) => (await call('DELETE', `/api/actors/${escape(externalId)}`)) as { status: "deleting" },
    listActorConnections: async (externalId) => (await call('GET', `/api/actors/${escape(externalId)}/connections`)) as ActorConnections,
    disconnectActor: async (externalId, integration, query) => (await call('DELETE', `/api/actors/${escape(externalId)}/connections/${escape(integration)}`, { query })) as Success,
    createActorLink: async (externalId, body) => (await call('POST', `/api/actors/${escape(externalId)}/connect-links`, { body })) as { /** Comes back to `returnTo` as `link`, and in events */ id: string; /** For the browser of the actor only */ url: string; /** Unix seconds */ expiresAt: number },
    readActorUsage: async (externalId, query) => (await call('GET', `/api/actors/${escape(externalId)}/usage`, { query })) as ActorUsage,
  };
  return client;
}
