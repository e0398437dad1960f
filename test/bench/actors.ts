// Measures whether 100,000 actors with 300,000 connections make a call, a link, a list or an erasure slower than 100 actors
// do: the same requests to both gateways in turn, on SQLite, and the ratio of the medians.
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { type ActorStand, openActorStand, RETURN_TO, runTool, type Tenant } from '../support/actors.ts';
import { median } from './median.ts';

const MANY = 100_000;
const FEW = 100;
const ROUNDS = Number(process.env['ROUNDS'] ?? 60);
const INTEGRATIONS = ['keyed', 'github', 'gitlab'];

interface Side {
  stand: ActorStand;
  tenant: Tenant;
  connected: string;
  times: Map<string, number[]>;
}

/** Puts the rows behind the back of the gateway: through it, a hundred thousand would take an hour. */
function fill(stand: ActorStand, { id }: Tenant, count: number): void {
  const db = new DatabaseSync(join(stand.app.folder, 'service.db'));
  db.exec('pragma journal_mode = wal; pragma busy_timeout = 60000');
  const names = `with recursive counted(n) as (select 1 union all select n + 1 from counted where n < ${count})`;
  db.exec(`begin;
    ${names} insert into users (id, email, is_admin, is_owner, created_at, unverified_since, keeps_calls, service_key_id, external_id)
      select 'actor-' || n, 'actor:${id}:u-' || n, 0, 0, 1, 1, 0, '${id}', 'u-' || n from counted;
    update service_keys set actors = actors + ${count} where id = '${id}';`);
  for (const name of INTEGRATIONS)
    db.exec(`${names} insert into connections (user_id, integration, access_token, created_at, updated_at, checked_at, account)
      select 'actor-' || n, '${name}', 'v1.x', 1, 1, ${stand.app.clock.now()}, '' from counted`);
  db.exec('commit');
  db.close();
}

async function open(count: number): Promise<Side> {
  const stand = await openActorStand({ SERVICE_KEY_MAX_ACTORS: '1000000' });
  const tenant = await stand.tenant({ integrations: ['vaulted', 'keyed', 'time', ...INTEGRATIONS.slice(1)] });
  fill(stand, tenant, count);
  stand.provider.expiresIn = null;
  await tenant.actor('ann');
  await stand.connect(tenant, 'ann');
  return { stand, tenant, connected: 'ann', times: new Map() };
}

type Step = (side: Side, round: number) => Promise<unknown>;

const STEPS: Record<string, Step> = {
  'call a tool of the gateway': ({ stand, tenant }) => runTool(stand, tenant.for('ann'), 'time_now'),
  'call an API with the connection': ({ stand, tenant }) =>
    runTool(stand, tenant.for('ann'), 'vaulted_get', { path: '/x' }),
  'make an actor': ({ tenant }, round) => tenant.actor(`new-${round}`),
  'make a link': ({ tenant }, round) =>
    tenant.api('POST', `/api/actors/new-${round}/connect-links`, {
      integration: 'vaulted',
      returnTo: RETURN_TO,
    }),
  'connect an account': ({ stand, tenant }, round) => stand.connect(tenant, `new-${round}`),
  'list 100 actors': ({ tenant }) => tenant.api('GET', '/api/actors'),
  'list connections': ({ tenant }) => tenant.api('GET', '/api/actors/u-50/connections'),
  'list people': ({ stand }) => stand.admin('GET', '/api/admin/people'),
  'erase: the answer': ({ tenant }, round) => tenant.api('DELETE', `/api/actors/new-${round}`),
  'erase: the rows': ({ stand }) => {
    stand.app.clock.advance(200);
    return stand.app.deps.erasures.goOn();
  },
};

const sides = [await open(FEW), await open(MANY)];
// Neither side is always the first.
for (let round = 0; round < ROUNDS; round++)
  for (const [name, step] of Object.entries(STEPS))
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const started = performance.now();
      await step(side, round);
      const took = performance.now() - started;
      side.times.set(name, [...(side.times.get(name) ?? []), took]);
    }
const [few, many] = sides.map(({ times }) => times);
for (const [name, times] of few ?? []) {
  const [one, other] = [median(times), median(many?.get(name) ?? [])];
  console.log(
    `${name}: ${one.toFixed(2)} ms, ${other.toFixed(2)} ms with ${MANY} actors, ${(other / one).toFixed(2)} times`,
  );
}
for (const { stand } of sides) await stand.close();
