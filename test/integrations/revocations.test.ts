// Tests how a grant ends at each provider: the request is exactly the documented one, and the check fails
// afterwards. decision: 027
import { getRequestListener } from '@hono/node-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startHttpServer } from '../support/http-server.ts';
import { CLIENT, REVOCATIONS, type RevocationCase, TOKENS } from '../support/revocation-cases.ts';
import { FIRST_ACCOUNT } from '../../src/ports/records.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

interface Seen {
  method: string;
  path: string;
  authorization: string | null;
  type: string | null;
  body: Record<string, string>;
}

interface Stage {
  app: TestApp;
  ana: TestUser;
  /** The requests that would end a grant. */
  seen: Seen[];
  /** Ends the grant at the provider, as the person can on its page. */
  end(): void;
}

async function open(revocation: RevocationCase): Promise<Stage> {
  const { name, origins, instanceUrl, tokenPath, check, request, answer, gone = answer } = revocation;
  const [checkPath, before, after] = check;
  const seen: Seen[] = [];
  let isOver = false;

  async function respond(incoming: Request): Promise<Response> {
    const { method, headers } = incoming;
    const { pathname: path } = new URL(incoming.url);
    const text = await incoming.text();
    if (method === request.method && path === request.path) {
      const type = headers.get('content-type')?.split(';')[0] ?? null;
      const body = type?.endsWith('json') === true ? JSON.parse(text) : new URLSearchParams(text);
      const fields: Record<string, string> =
        body instanceof URLSearchParams ? Object.fromEntries(body) : Object(body);
      seen.push({ method, path, authorization: headers.get('authorization'), type, body: fields });
      const [status, said] = isOver ? gone : answer;
      isOver = true;
      return status === 204 ? new Response(null, { status }) : Response.json(said, { status });
    }
    if (path === tokenPath && !isOver) {
      const tokens = { ...TOKENS, token_type: 'bearer', expires_in: 3_600 };
      const instance_url = 'https://acme.my.salesforce.com';
      return Response.json({ ...tokens, ok: true, authed_user: tokens, instance_url });
    }
    if (path !== checkPath) return Response.json({ error: 'invalid_grant' }, { status: 400 });
    const isOurs = headers.get('authorization') === `Bearer ${TOKENS.access_token}`;
    if (isOurs && !isOver) return Response.json(before);
    const [status, said] = after;
    return Response.json(said, { status });
  }

  const listener = getRequestListener(respond);
  const server = await startHttpServer((incoming, outgoing) => void listener(incoming, outgoing));
  const variable = name.toUpperCase();
  const { id: clientId, secret: clientSecret } = CLIENT;
  const app = await createTestApp({
    env: {
      [`${variable}_CLIENT_ID`]: clientId,
      [`${variable}_CLIENT_SECRET`]: clientSecret,
      ...(instanceUrl === undefined
        ? {}
        : { [`${variable}_INSTANCES`]: JSON.stringify({ [instanceUrl]: { clientId, clientSecret } }) }),
      UPSTREAM_MAP: origins.map((origin) => `${origin}=http://127.0.0.1:${server.port}`).join(','),
    },
  });
  onTestFinished(async () => {
    await app.close();
    await server.close();
  });
  return { app, ana: await app.user(), seen, end: () => (isOver = true) };
}

async function api({ app, ana }: Stage, method: string, path: string): Promise<unknown> {
  return (await app.request(path, { method, headers: ana.sessionHeader })).json();
}

async function signIn(stage: Stage, { name, instanceUrl }: RevocationCase): Promise<void> {
  const query = instanceUrl === undefined ? '' : `?instanceUrl=${encodeURIComponent(instanceUrl)}`;
  const begun = await api(stage, 'GET', `/api/auth/${name}${query}`);
  const { searchParams } = new URL(Reflect.get(Object(begun), 'url'));
  const back = new URLSearchParams({ code: 'a-code', state: searchParams.get('state') ?? '' });
  const done = await stage.app.request(`/api/auth/plugin/${name}/callback?${back.toString()}`);
  expect(done.headers.get('location')).toBe(`http://localhost:3000#connected=${name}`);
}

const label = ({ name, instanceUrl }: RevocationCase) =>
  instanceUrl === undefined ? name : `${name} at an instance`;

describe.each(REVOCATIONS.map((each) => [label(each), each] as const))(
  'disconnecting %s',
  (_, revocation) => {
    it('ends the grant by the documented request, and says that it has ended', async () => {
      const stage = await open(revocation);
      await signIn(stage, revocation);
      const path = `/api/connections/${revocation.name}`;
      expect(await api(stage, 'POST', `${path}/check`)).toMatchObject({ status: 'ok' });
      expect(await api(stage, 'DELETE', `${path}?revoke=true`)).toMatchObject({
        success: true,
        revoked: 'done',
      });
      expect(stage.seen).toEqual([revocation.request]);
      const { connections } = stage.app.deps.store;
      expect(await connections.get(stage.ana.id, revocation.name, FIRST_ACCOUNT)).toBeNull();
    });
  },
);

describe.each(
  REVOCATIONS.filter(({ gone }) => gone !== undefined).map((each) => [label(each), each] as const),
)('a grant at %s that the person has ended there', (_, revocation) => {
  it('is known to have ended, also after its token has expired', async () => {
    const stage = await open(revocation);
    await signIn(stage, revocation);
    stage.end();
    stage.app.clock.advance(7_200);
    const path = `/api/connections/${revocation.name}?revoke=true`;
    expect(await api(stage, 'DELETE', path)).toMatchObject({ success: true, revoked: 'done' });
  });
});
