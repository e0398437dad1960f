// Runs oidc-provider as the authorization server of programs, which get tokens for themselves. RFC 6749 §4.4
import { type FoundToken, Provider } from 'oidc-provider';
import { startHttpServer } from './http-server.ts';

export interface ClientProvider {
  tokenUrl: string;
  /** The token requests so far, with their Authorization header. */
  asked: { form: URLSearchParams; authorization: string | undefined }[];
  /** Answers a token request in place of the provider, unless it returns null. A test replaces it. */
  instead: (authorization: string | undefined) => { status: number; body: string } | null;
  /** The token, unless it has ended. */
  find(token: string): Promise<FoundToken | undefined>;
  /** Forgets every token, as a restart without a disk does. `clients` are the new ones. */
  restart(clients?: readonly object[]): void;
  close(): Promise<void>;
}

export async function startClientProvider(
  clients: readonly object[],
  seconds: () => number,
): Promise<ClientProvider> {
  const server = await startHttpServer();
  const issuer = `http://127.0.0.1:${server.port}`;
  const start = (known: readonly object[]) =>
    new Provider(issuer, {
      clients: known.map((client) => ({
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        ...client,
      })),
      cookies: { keys: ['a key for tests'] },
      scopes: ['invoices:read', 'invoices:write'],
      features: { clientCredentials: { enabled: true } },
      ttl: { ClientCredentials: seconds },
    });
  let provider = start(clients);
  let callback = provider.callback();
  const stand: ClientProvider = {
    tokenUrl: `${issuer}/token`,
    asked: [],
    instead: () => null,
    find: (token) => provider.ClientCredentials.find(token),
    restart(known = clients) {
      provider = start(known);
      callback = provider.callback();
    },
    close: () => server.close(),
  };
  server.answer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () =>
      stand.asked.push({
        form: new URLSearchParams(Buffer.concat(chunks).toString()),
        authorization: request.headers.authorization,
      }),
    );
    const answer = stand.instead(request.headers.authorization);
    if (answer === null) return void callback(request, response);
    const { status, body } = answer;
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  return stand;
}
