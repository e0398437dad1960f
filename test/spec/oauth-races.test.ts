// Tests single use under races, with three processes on one database. States, tickets, codes, assertions and refresh tokens are used once, with three processes on one database. reference: Durability
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSchema } from '../../drivers/sql/engine.ts';
import { openAt } from '../contracts/store/open-at.ts';
import { type Place, postgresPlace, sqlitePlace } from '../contracts/store/open.ts';
import { CLIENT_JWT } from '../../src/oauth/machines/client-proof.ts';
import { machineClient, trustedIssuer, trustedRule } from '../contracts/store/records.ts';
import { assertionClaims, assertionForm, ID_JAG } from '../support/assertions.ts';
import { jobClaims, JWT_BEARER, SUBJECT } from '../support/machines.ts';
import { authorizeQuery, CALLBACK, issueCode, refresh, registered } from '../support/oauth-client.ts';
import { startOidc } from '../support/oidc.ts';
import { openRaceApp, type RaceAnswer, type RaceJob, type RaceRequest } from '../support/race-app.ts';
import { type ScriptedProvider, startScriptedProvider } from '../support/scripted-provider.ts';
import { describeService, postgresUrl } from '../support/services.ts';
import type { TestApp, TestUser } from '../support/test-app.ts';

const CHILD = fileURLToPath(new URL('../support/race-app-child.ts', import.meta.url));
const PROCESSES = 3;
const PARALLEL = 51;
const ROUNDS = 6;
const children = Array.from({ length: PROCESSES }, () => fork(CHILD, { execArgv: [], stdio: 'inherit' }));

function races(name: string, makePlace: () => Promise<Place>): void {
  describe(`one winner of ${PARALLEL} concurrent requests in ${PROCESSES} processes on ${name}`, () => {
    let place: Place;
    let provider: ScriptedProvider;
    let app: TestApp;
    let ana: TestUser;
    let client: string;

    beforeAll(async () => {
      place = await makePlace();
      const engine = openAt(place.url);
      await createSchema(engine);
      await engine.close();
      provider = await startScriptedProvider({
        now: () => Math.floor(Date.now() / 1000),
        // Each sign-in sends its nonce as its code.
        nonce: (code) => code,
      });
      const env = {
        HOSTED_ISSUER_URL: provider.issuer,
        HOSTED_CLIENT_ID: 'gateway',
        HOSTED_CLIENT_SECRET: 'secret',
        IDP_ISSUER_URL: provider.issuer,
        IDP_CLIENT_ID: 'gateway',
        IDP_CLIENT_SECRET: 'secret',
      };
      app = await openRaceApp(place.url, env);
      await Promise.all(children.map((child) => tell(child, { open: { url: place.url, env } })));
      ana = await app.user();
      client = await registered(app);
    });
    afterAll(async () => {
      await Promise.all(children.map((child) => tell(child, 'close')));
      await app.close();
      await provider.close();
      await place.remove();
    });

    /** Each process gets its share of the requests, all at the same moment. */
    async function racing(requests: RaceRequest[]): Promise<RaceAnswer[]> {
      const shares = children.map((_, at) => requests.filter((__, index) => index % PROCESSES === at));
      const answers = await Promise.all(
        children.map((child, at) => tell(child, { requests: shares[at] ?? [] })),
      );
      return answers.flat();
    }
    const copies = (request: RaceRequest) => Array.from({ length: PARALLEL }, () => request);

    /** Begins a sign-in and returns the query of its return. */
    async function beginSignIn(): Promise<string> {
      return queryOf((await (await app.request('/api/auth/hosted')).json()).url);
    }

    function queryOf(url: string): string {
      const { searchParams } = new URL(url);
      return `code=${searchParams.get('nonce')}&state=${searchParams.get('state')}`;
    }

    const rounds = async (round: () => Promise<void>) => {
      for (let count = 0; count < ROUNDS; count++) await round();
    };

    it('redeems one code, and lets no refresh token of a code live that was presented twice', () =>
      rounds(async () => {
        const form = { grant_type: 'authorization_code', ...(await issueCode(app, ana, client)) };
        const answers = await racing(copies({ path: '/token', form }));
        const won = answers.filter(({ status }) => status === 200);
        expect(won).toHaveLength(1);
        expect(answers.filter(({ text }) => text.includes('invalid_grant'))).toHaveLength(PARALLEL - 1);
        const { refresh_token } = JSON.parse(won[0]?.text ?? '');
        expect((await refresh(app, client, refresh_token)).body.error).toBe('invalid_grant');
      }));

    it('redeems one refresh token, whose successor then works', async () => {
      let form: Record<string, string> = {
        grant_type: 'authorization_code',
        ...(await issueCode(app, ana, client)),
      };
      let [{ text } = { text: '' }] = await racing([{ path: '/token', form }]);
      await rounds(async () => {
        form = {
          grant_type: 'refresh_token',
          client_id: client,
          refresh_token: JSON.parse(text).refresh_token,
        };
        const answers = await racing(copies({ path: '/token', form }));
        const [winner, ...others] = answers.filter(({ status }) => status === 200);
        expect(others).toEqual([]);
        expect(answers.filter((answer) => answer.text.includes('invalid_grant'))).toHaveLength(PARALLEL - 1);
        text = winner?.text ?? '';
      });
    });

    it('redeems one identity assertion', () =>
      rounds(async () => {
        const about = { app, issuer: provider.issuer, client, login: 'asserted' };
        const assertion = await provider.sign(assertionClaims(about), { typ: ID_JAG });
        const answers = await racing(copies({ path: '/token', form: assertionForm(client, assertion) }));
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
        expect(answers.filter(({ text }) => text.includes('used before'))).toHaveLength(PARALLEL - 1);
      }));

    it('redeems one token of a trusted issuer, and one proof of a machine client', async () => {
      const oidc = await startOidc({ redirectUris: ['http://localhost/'] });
      const { store, agentKeys, clock } = app.deps;
      const minted = await agentKeys.mint(ana.id, { name: 'deploy', limits: {}, expiresAt: null });
      const bound = { user_id: ana.id, key_id: minted?.record.id ?? '' };
      const pair = await generateKeyPair('ES256', { extractable: true });
      const jwk = JSON.stringify(await exportJWK(pair.publicKey));
      const machine = machineClient({ ...bound, secret_sha: null, jwk });
      expect(await store.machines.addClient(machine, 5)).toBe(true);
      const rule = trustedRule({ ...bound, sub: SUBJECT, claims: '{}' });
      const { SERVER_PUBLIC_URL: audience } = app.deps.config;
      const issuer = trustedIssuer({ issuer: oidc.issuer, audience, created_by: ana.id });
      expect(await store.machines.addIssuer(issuer, [rule], 5)).toBe(true);
      await rounds(async () => {
        const assertion = await oidc.sign(jobClaims(app, oidc.issuer));
        const { client_id: id } = machine;
        const proof = { iss: id, sub: id, aud: audience, jti: crypto.randomUUID(), exp: clock.now() + 60 };
        const forms = [
          { grant_type: JWT_BEARER, assertion },
          {
            grant_type: 'client_credentials',
            client_assertion_type: CLIENT_JWT,
            client_assertion: await new SignJWT(proof)
              .setProtectedHeader({ alg: 'ES256' })
              .sign(pair.privateKey),
          },
        ];
        for (const form of forms) {
          const answers = await racing(copies({ path: '/token', form }));
          expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
          expect(answers.filter(({ text }) => /invalid_(grant|client)/.test(text))).toHaveLength(
            PARALLEL - 1,
          );
        }
      });
      await oidc.close();
    });

    it('returns with one sign-in state', () =>
      rounds(async () => {
        const path = `/api/auth/hosted/callback?${await beginSignIn()}`;
        const answers = await racing(copies({ path }));
        expect(answers.filter(({ status }) => status === 302)).toHaveLength(1);
        expect(answers.filter(({ status }) => status === 400)).toHaveLength(PARALLEL - 1);
      }));

    it('returns to the client with one state and its ticket, never to the portal', () =>
      rounds(async () => {
        const begun = await app.request(authorizeQuery(client));
        const path = `/api/auth/hosted/callback?${queryOf(begun.headers.get('location') ?? '')}`;
        const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? '';
        const answers = await racing(copies({ path, cookie }));
        expect(answers.filter(({ location }) => location.startsWith(CALLBACK))).toHaveLength(1);
        expect(answers.filter(({ status }) => status === 400)).toHaveLength(PARALLEL - 1);
      }));

    it('creates one account for first sign-ins, which all succeed', async () => {
      provider.script.claims = { sub: 'newcomer', email: 'newcomer@example.com' };
      const queries = await Promise.all(Array.from({ length: PARALLEL }, beginSignIn));
      const answers = await racing(queries.map((query) => ({ path: `/api/auth/hosted/callback?${query}` })));
      const ids = await Promise.all(
        answers.map(
          async ({ location }) =>
            (await app.deps.sessions.verify(location.split('#token=')[1] ?? ''))?.userId,
        ),
      );
      expect(new Set(ids).size).toBe(1);
      expect(ids[0]).toBeDefined();
    });
  });
}

async function tell(child: ReturnType<typeof fork>, job: RaceJob): Promise<RaceAnswer[]> {
  const answered = once(child, 'message');
  child.send(job);
  const [answers] = await answered;
  if (!Array.isArray(answers)) throw new Error(JSON.stringify(answers));
  return answers;
}

afterAll(async () => {
  const gone = children.map((child) => once(child, 'exit'));
  for (const child of children) child.disconnect();
  await Promise.all(gone);
});

races('SQLite', sqlitePlace);
await describeService('races on PostgreSQL', postgresUrl(), () => races('PostgreSQL', postgresPlace));
