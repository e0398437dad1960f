// Runs the Google emulator behind a front that checks tokens like the real Google: only the grants of each
// sign-in work.
import { type Emulator, type Front, startEmulator } from './emulators.ts';
import { BASE } from './test-app.ts';

export const GOOGLE_CLIENT = { id: 'gateway.apps.example', secret: 'the secret of the gateway' };
export const ANA = 'ana@example.com';

export interface GoogleEmulator extends Emulator {
  /** Settings for the gateway's environment. */
  env: Record<string, string>;
  /** Revokes the grant of this access token, as a person does at Google. */
  revoke(accessToken: string): void;
}

/** Starts the emulator. `seed` is its own format: messages, calendars, drive_items and so on. */
export async function startGoogle(
  integrations: readonly string[],
  seed: Record<string, unknown> = {},
): Promise<GoogleEmulator> {
  const grants = new Map<string, string>();
  const emulator = await startEmulator(
    'google',
    {
      google: {
        users: [{ email: ANA, name: 'Ana Müller', email_verified: true }],
        oauth_clients: [
          {
            client_id: GOOGLE_CLIENT.id,
            client_secret: GOOGLE_CLIENT.secret,
            name: 'The gateway',
            redirect_uris: integrations.map((name) => `${BASE}/api/auth/plugin/${name}/callback`),
          },
        ],
        ...seed,
      },
    },
    createFront(grants),
  );
  const origins = [
    'accounts.google.com',
    'oauth2.googleapis.com',
    'www.googleapis.com',
    'gmail.googleapis.com',
  ];
  const clients = integrations.flatMap((name) => [
    [`${name.toUpperCase()}_CLIENT_ID`, GOOGLE_CLIENT.id],
    [`${name.toUpperCase()}_CLIENT_SECRET`, GOOGLE_CLIENT.secret],
  ]);
  return {
    ...emulator,
    revoke(accessToken) {
      for (const [refresh, access] of grants) if (access === accessToken) grants.delete(refresh);
    },
    env: {
      ...Object.fromEntries(clients),
      UPSTREAM_MAP: origins.map((host) => `https://${host}=${emulator.url}`).join(),
    },
  };
}

/**
 * Makes the front. `grants` holds the newest access token of each refresh token, because the emulator accepts
 * any token.
 */
function createFront(grants: Map<string, string>): Front {
  async function token(request: Request, pass: (request: Request) => Promise<Response>): Promise<Response> {
    const form = new URLSearchParams(await request.clone().text());
    const presented = form.get('refresh_token');
    if (presented !== null && !grants.has(presented))
      return Response.json(
        { error: 'invalid_grant', error_description: 'Token has been revoked.' },
        { status: 400 },
      );
    // The real Google has this path at /token on a separate host.
    const answer = await pass(new Request(new URL('/oauth2/token', request.url), request));
    const { refresh_token = presented, access_token } = await answer.clone().json();
    if (answer.ok) grants.set(refresh_token, access_token);
    return answer;
  }

  return async (request, pass) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/token') return token(request, pass);
    if (pathname.startsWith('/o/oauth2/')) return pass(request);
    const bearer = request.headers.get('authorization')?.replace('Bearer ', '') ?? '';
    if ([...grants.values()].includes(bearer)) return pass(request);
    const message = 'Request had invalid authentication credentials.';
    return Response.json({ error: { code: 401, message, status: 'UNAUTHENTICATED' } }, { status: 401 });
  };
}
