// Registers the gateway as a client of a provider. RFC 7591; decision: 045
import { dynamicClientRegistrationRequest } from 'oauth4webapi';
import * as z from 'zod';
import type { Config } from '../../config/config.ts';
import { type Egress, USER_AGENT } from '../../egress/door.ts';
import { EgressFailure } from '../../egress/failure.ts';
import { createOAuthRequests } from '../../egress/oauth-requests.ts';
import { isObject } from '../../json/json.ts';
import type { AuthorizationServer } from './authorization.ts';
import type { Found } from './found.ts';
import { describeClient, type OurClient } from './our-client.ts';
import { readDocument } from './published.ts';
import type { Registration } from './registrations.ts';

/** `findAuthorizationServer` has checked the address of the provider. */
const LIMITS = { timeoutMs: 10_000, maxBytes: 64 * 1024, redirects: 'manual', allowsHttp: true } as const;
const MAX_WORDS = 300;

const METHODS = { none: 'none', client_secret_post: 'post', client_secret_basic: 'basic' } as const;
type Method = keyof typeof METHODS;
const isMethod = (text: string): text is Method => Object.hasOwn(METHODS, text);

// RFC 6749 appendix A: ids and secrets are visible ASCII.
const visible = z.string().regex(/^[\x20-\x7e]{1,2048}$/);
const Registered = z.object({
  client_id: visible,
  client_secret: visible.nullish(),
  client_secret_expires_at: z.number().nullish(),
  token_endpoint_auth_method: z.string().nullish(),
});

/** How a client with a secret, or without one, authenticates there. Null when the gateway knows no such way. */
export function clientAuthAt(
  { clientAuth }: Pick<AuthorizationServer, 'clientAuth'>,
  hasSecret: boolean,
): 'none' | 'post' | 'basic' | null {
  if (!hasSecret) return 'none';
  // RFC 8414 §2: a server that does not say takes Basic.
  if (clientAuth === null || clientAuth.includes('client_secret_basic'))
    return clientAuth?.includes('client_secret_post') === true ? 'post' : 'basic';
  return clientAuth.includes('client_secret_post') ? 'post' : null;
}

export async function register(
  egress: Pick<Egress, 'fetch'>,
  config: Pick<Config, 'SERVER_PUBLIC_URL' | 'loopback'>,
  server: AuthorizationServer & { registerUrl: string },
  ours: OurClient,
  displayName: string,
): Promise<Found<Registration>> {
  const refuse = (why: string) => ({
    ok: false as const,
    message: `The provider of ${displayName}, ${new URL(server.issuer).host}, did not register this gateway${why === '' ? '' : `: ${why}`}. Register a client there by hand, and enter its id in the import.`,
  });
  const asked = methodFor(server);
  try {
    const response = await dynamicClientRegistrationRequest(
      { issuer: server.issuer, registration_endpoint: server.registerUrl },
      describeClient(ours, config, asked),
      { ...createOAuthRequests(egress, LIMITS), headers: { 'user-agent': USER_AGENT } },
    );
    // The library would refuse the status 200, other media types, and secrets without a time at which they expire.
    const answer = await readDocument(response, 'the provider');
    if (response.status !== 200 && response.status !== 201) return refuse(wordsIn(answer, response.status));
    const parsed = Registered.safeParse(answer);
    if (!parsed.success) return refuse('its answer has no client id');
    const { client_id, client_secret, client_secret_expires_at, token_endpoint_auth_method } = parsed.data;
    const method = token_endpoint_auth_method ?? (client_secret && asked === 'none' ? null : asked);
    const secret = client_secret ?? null;
    if (method !== null && !isMethod(method)) return refuse(`it wants ${method.slice(0, 100)}`);
    const clientAuth = method === null ? clientAuthAt(server, secret !== null) : METHODS[method];
    if (clientAuth === null || (clientAuth !== 'none' && secret === null))
      return refuse('it gave no secret that can be used');
    return {
      ok: true,
      value: {
        issuer: server.issuer,
        clientId: client_id,
        clientAuth,
        redirectUri: ours.redirectUri,
        ...(secret === null || clientAuth === 'none' ? {} : { clientSecret: secret }),
        // RFC 7591 §3.2.1: 0 means that the secret does not expire.
        ...(client_secret_expires_at ? { expiresAt: client_secret_expires_at } : {}),
      },
    };
  } catch (error) {
    if (error instanceof EgressFailure) return refuse(error.message);
    throw error;
  }
}

/** A public client is enough, because PKCE protects the code. Some servers know only clients with secrets. */
function methodFor({ clientAuth }: AuthorizationServer): Method {
  if (clientAuth === null || clientAuth.includes('none')) return 'none';
  return clientAuth.includes('client_secret_post') ? 'client_secret_post' : 'client_secret_basic';
}

/** RFC 7591 §3.2.2 */
function wordsIn(answer: unknown, status: number): string {
  const words = isObject(answer) ? (answer['error_description'] ?? answer['error']) : undefined;
  return typeof words === 'string' ? words.slice(0, MAX_WORDS) : `it answered ${status}`;
}
