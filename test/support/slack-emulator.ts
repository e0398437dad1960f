// Runs the Slack emulator behind a front that adds what it lacks: methods called with GET, files on a
// separate host, and user tokens that rotate as they do for apps with token rotation.
import { randomBytes } from 'node:crypto';
import { type Emulator, type Front, startEmulator } from './emulators.ts';
import { BASE } from './test-app.ts';

const CLIENT = { id: '12345.67890', secret: 'the secret of the gateway' };

export interface SlackEmulator extends Emulator {
  /** Settings for the gateway's environment. */
  env: Record<string, string>;
}

export async function startSlack(): Promise<SlackEmulator> {
  const emulator = await startEmulator(
    'slack',
    {
      slack: {
        team: { name: 'Größe AG', domain: 'groesse' },
        users: [
          { name: 'ana', real_name: 'Ana Müller', email: 'ana@example.com' },
          { name: 'ben', real_name: 'Ben', email: 'ben@example.com' },
        ],
        channels: [{ name: 'allgemein', topic: 'Alles' }, { name: 'zufall' }],
        bots: [{ name: 'gateway' }],
        oauth_apps: [
          {
            client_id: CLIENT.id,
            client_secret: CLIENT.secret,
            name: 'The gateway',
            redirect_uris: [`${BASE}/api/auth/plugin/slack/callback`],
            bot_name: 'gateway',
          },
        ],
        // A token may do only what its scopes allow.
        strict_scopes: true,
      },
    },
    createFront(),
  );
  return {
    ...emulator,
    env: {
      SLACK_CLIENT_ID: CLIENT.id,
      SLACK_CLIENT_SECRET: CLIENT.secret,
      UPSTREAM_MAP: `https://slack.com=${emulator.url},https://files.slack.com=${emulator.url}`,
    },
  };
}

const HOURS_12 = 43_200;
const refuse = (error: string) => Response.json({ ok: false, error });
const form = { 'content-type': 'application/x-www-form-urlencoded' };

function createFront(): Front {
  /** Maps each valid token to the emulator's own token; each refresh token works once. */
  const behind = new Map<string, string>();
  const refreshable = new Map<string, { real: string; access: string }>();

  function issue(real: string) {
    const access_token = `xoxe.xoxp-1-${randomBytes(12).toString('hex')}`;
    const refresh_token = `xoxe-1-${randomBytes(12).toString('hex')}`;
    behind.set(access_token, real);
    refreshable.set(refresh_token, { real, access: access_token });
    return { access_token, refresh_token, expires_in: HOURS_12, token_type: 'user' };
  }

  async function token(request: Request, pass: (request: Request) => Promise<Response>): Promise<Response> {
    const given = new URLSearchParams(await request.clone().text());
    if (given.get('grant_type') === 'refresh_token') {
      if (given.get('client_secret') !== CLIENT.secret) return refuse('bad_client_secret');
      const old = refreshable.get(given.get('refresh_token') ?? '');
      if (old === undefined) return refuse('invalid_refresh_token');
      refreshable.delete(given.get('refresh_token') ?? '');
      behind.delete(old.access);
      return Response.json({ ok: true, ...issue(old.real) });
    }
    const answer = await (await pass(request)).json();
    if (answer.authed_user?.access_token === undefined) return Response.json(answer);
    const authed_user = { ...answer.authed_user, ...issue(answer.authed_user.access_token) };
    return Response.json({ ...answer, authed_user });
  }

  return async (request, pass) => {
    const { pathname, search } = new URL(request.url);
    if (pathname === '/api/oauth.v2.access') return token(request, pass);
    if (pathname.startsWith('/oauth/') || pathname.startsWith('/upload/')) return pass(request);
    const real = behind.get(request.headers.get('authorization')?.replace('Bearer ', '') ?? '');
    if (real === undefined) return refuse('token_expired');
    const headers = { ...Object.fromEntries(request.headers), authorization: `Bearer ${real}` };
    const isMethod = request.method === 'GET' && pathname.startsWith('/api/');
    const answer = await pass(
      isMethod
        ? new Request(request.url, {
            method: 'POST',
            headers: { ...headers, ...form },
            body: search.slice(1),
          })
        : new Request(request, { headers }),
    );
    if (!answer.headers.get('content-type')?.includes('json')) return answer;
    const text = await answer.text();
    return new Response(text.replaceAll(/http:\/\/localhost:\d+/g, 'https://files.slack.com'), answer);
  };
}
