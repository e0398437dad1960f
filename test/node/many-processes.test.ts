// Tests three gateways on one PostgreSQL and Redis behind nginx, any of them killed at any time. reference: Durability; decision: 007
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWorld, type Person, type Running, type World } from '../contracts/app/world.ts';
import { type Gateway, openSite, type Site } from '../support/gateway-process.ts';
import { call, rpc } from '../support/mcp.ts';
import { describeNginx, startNginx } from '../support/nginx.ts';
import { refresh, registered, token, CALLBACK } from '../support/oauth-client.ts';
import {
  createPostgresSchema,
  describeService,
  type PostgresSchema,
  postgresUrl,
  redisUrl,
} from '../support/services.ts';

const PROCESSES = 3;
const KILL_EVERY_MS = 5_000;
const KILLS = 2;
const PARALLEL = 24;
const ZONES = ['Europe/Berlin', 'Asia/Tokyo', 'America/Lima', 'Africa/Accra'];

await describeService('many processes', postgresUrl(), () => {
  describeNginx('behind nginx', () => {
    let schema: PostgresSchema;
    let world: World;
    let site: Site;
    let env: Record<string, string>;
    let gateways: Gateway[];
    let nginx: Awaited<ReturnType<typeof startNginx>>;
    let front: Running;

    beforeAll(async () => {
      schema = await createPostgresSchema();
      world = await openWorld();
      site = await openSite();
      env = {
        ...world.env,
        DATABASE_URL: schema.url,
        PENDING_STORE: redisUrl(),
        SERVER_PUBLIC_URL: 'http://localhost:3000',
        TRUST_PROXY: 'true',
      };
      gateways = await Promise.all(Array.from({ length: PROCESSES }, () => site.start({ env })));
      nginx = await startNginx(gateways.map(({ port }) => port));
      front = {
        publicUrl: 'http://localhost:3000',
        request: (path, init) => fetch(`${nginx.base}${path}`, { redirect: 'manual', ...init }),
        proxies: true,
        close: () => nginx.stop(),
      };
    }, 180_000);
    afterAll(async () => {
      await nginx.stop();
      await site.close();
      await world.close();
      await schema.drop();
    });

    async function killAndReplace(at: number): Promise<void> {
      const killed = gateways[at];
      if (killed === undefined) return;
      killed.signal('SIGKILL', 'group');
      await killed.exited;
      gateways[at] = await site.start({ env, port: killed.port });
    }

    it('spreads requests over all processes, and routes the live view by its key', async () => {
      const ana = await world.person(front, 'ana');
      const counts = () =>
        Promise.all(
          gateways.map(async (gateway) => {
            const text = await (await gateway.request('/metrics')).text();
            const line = /^service_http_requests_total\{method="POST",route="\/mcp",status="200"\} (\d+)$/m;
            return Number(line.exec(text)?.[1] ?? 0);
          }),
        );
      async function sharesOf(headers: Record<string, string>): Promise<number[]> {
        const before = await counts();
        for (let n = 0; n < 12; n++) await rpc(front, { ...ana.key, ...headers }, 'tools/list');
        return (await counts()).map((count, at) => count - (before[at] ?? 0));
      }
      expect(Math.min(...(await sharesOf({})))).toBeGreaterThan(0);
      const sticky = await sharesOf({ 'x-browser-session': 'a key' });
      expect(sticky.toSorted((a, b) => a - b)).toEqual([0, 0, 12]);
    });

    it('forwards raw request targets unchanged', async () => {
      const cy = await world.person(front, 'cy');
      await front.request('/api/auth/apikey/resend', {
        method: 'POST',
        headers: { ...cy.session, 'content-type': 'application/json' },
        body: JSON.stringify({ values: { apiKey: 're_1' } }),
      });
      const session = await call(front, cy.key, 'curl_session', { integrations: ['resend'] });
      const headers = { authorization: `Bearer ${session.token}` };
      await front.request('/c/resend/a%2Fb//c%20d?q=%26', { headers });
      expect(world.calls.at(-1)?.path).toBe('/a%2Fb//c%20d?q=%26');
    });

    it(`gives no caller a wrong response while a process is killed every ${KILL_EVERY_MS / 1000} s`, async () => {
      const people = await Promise.all(['di', 'ed', 'flo', 'gus'].map((name) => inOrder(name)));
      const counts = { acknowledged: 0, lost: 0 };
      let kills = 0;
      let nextKill = performance.now() + KILL_EVERY_MS;
      const replacing: Promise<void>[] = [];
      let replaced = 0;

      function killWhenDue(): void {
        if (performance.now() < nextKill || kills === KILLS) return;
        nextKill += KILL_EVERY_MS;
        replacing.push(killAndReplace(kills++ % PROCESSES).then(() => void replaced++));
      }

      async function callOnAndOn({ key, email }: Person, zone: string): Promise<void> {
        for (let id = 1; replaced < KILLS; id++) {
          killWhenDue();
          const executions = [{ tool: 'time_now', args: { timeZone: zone } }];
          const params = { name: 'execute_tools', arguments: { executions } };
          const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });
          const response = await front.request('/mcp', { method: 'POST', headers: key, body });
          if (response.status === 502) {
            counts.lost++;
            await response.arrayBuffer();
            continue;
          }
          const answer = await response.json();
          expect([response.status, answer.id]).toEqual([200, id]);
          expect(JSON.parse(answer.result.content[0].text)).toMatchObject({
            results: [{ result: { timeZone: zone } }],
          });
          counts.acknowledged++;
          const me = await front.request('/api/auth/me', { headers: key });
          if (me.status === 502) await me.arrayBuffer();
          else expect((await me.json()).email).toBe(email);
        }
      }

      await Promise.all(people.flatMap((person) => ZONES.map((zone) => callOnAndOn(person, zone))));
      await Promise.all(replacing);
      expect(kills).toBe(KILLS);
      expect(counts.acknowledged).toBeGreaterThan(20);
      // At most one request of each client was in the killed process.
      expect(counts.lost).toBeLessThanOrEqual(KILLS * people.length * ZONES.length);
      let rows = 0;
      for (const { key } of people) rows += await countRows(key);
      expect(rows).toBeGreaterThanOrEqual(counts.acknowledged);
    }, 120_000);

    it('lets exactly one of many concurrent sign-ins, redemptions and callbacks with one proof win, also while a process is killed', async () => {
      const hal = await world.person(front, 'hal');
      const client = await registered(front);
      const sendCode = async () => {
        const code = await world.authorize(front, 'hal', client);
        const fields = { code, client_id: client, redirect_uri: CALLBACK, code_verifier: 'v'.repeat(43) };
        return () => token(front, { grant_type: 'authorization_code', ...fields });
      };
      expect(winners(await atOnce(await sendCode()))).toHaveLength(1);
      const redeemOnce = await sendCode();
      const presented = (await redeemOnce()).body.refresh_token;
      expect(winners(await atOnce(() => refresh(front, client, presented)))).toHaveLength(1);

      const asked = await call(front, hal.key, 'connect', { integration: 'github' });
      const state = new URL(asked.url).searchParams.get('state');
      const back = () => front.request(`/api/auth/plugin/github/callback?code=c&state=${state}`);
      const replaced = killAndReplace(0);
      const answers = await atOnce(back);
      await replaced;
      const statuses = answers.map(({ status }) => status);
      const won = statuses.filter((status) => status === 302).length;
      // The winner may have been in the killed process.
      expect(won + (statuses.includes(502) ? 1 : 0)).toBeGreaterThanOrEqual(1);
      expect(won).toBeLessThanOrEqual(1);
      expect(statuses.filter((status) => ![302, 400, 502].includes(status))).toEqual([]);
    }, 120_000);

    let signingIn: Promise<unknown> = Promise.resolve();
    /** The fake provider signs people in one after the other. */
    function inOrder(name: string): Promise<Person> {
      const next = signingIn.then(() => world.person(front, name));
      signingIn = next;
      return next;
    }

    const atOnce = <T>(ask: () => Promise<T>) => Promise.all(Array.from({ length: PARALLEL }, ask));
    const winners = <T extends { status: number }>(answers: T[]) =>
      answers.filter(({ status }) => status === 200);

    async function countRows(headers: Record<string, string>): Promise<number> {
      let rows = 0;
      for (let path = '/api/audit'; ;) {
        const { entries, nextCursor } = await (await front.request(path, { headers })).json();
        rows += entries.length;
        if (nextCursor === undefined) return rows;
        path = `/api/audit?cursor=${nextCursor}`;
      }
    }
  });
});
