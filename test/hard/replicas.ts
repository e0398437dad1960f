// Three gateways on a PostgreSQL and a Redis of their own behind the shipped nginx.conf, and the crowd that calls them.
import { CompiledQuery } from 'kysely';
import { openPostgres } from '../../drivers/sql/postgres.ts';
import { openWorld, type Running } from '../contracts/app/world.ts';
import { type Gateway, openSite } from '../support/gateway-process.ts';
import { freePort } from '../support/listen.ts';
import { startNginx } from '../support/nginx.ts';
import {
  admit,
  answersOf,
  type Crowd,
  cutsOf,
  type Member,
  openProduct,
  renewOnce,
  startCrowd,
} from './crowd.ts';
import { figure } from './figures.ts';
import { createPrivatePostgres, createPrivateRedis, pause } from './private-services.ts';

const REPLICAS = 3;
const PEOPLE = ['ana', 'ben', 'cy', 'dee'];
/** docs/operating.md asks for more than nginx's fail_timeout between a replica that is ready and the next one that stops. */
const AFTER_READY_MS = 5_000;

export interface Replicas {
  crowd: Crowd;
  /** Ends one gateway by a signal and starts another one in its place, by this command or by that of this version. */
  replace(at: number, signal: 'SIGKILL' | 'SIGTERM', command?: readonly string[]): Promise<void>;
  /** Stops the crowd and prints what it has seen. */
  report(what: string): Promise<void>;
  close(): Promise<void>;
}

/** Returns null where PostgreSQL or Redis is not installed. */
export async function openReplicas(command?: readonly string[]): Promise<Replicas | null> {
  const [postgres, redis] = [await createPrivatePostgres(), await createPrivateRedis()];
  if (postgres === null || redis === null) return null;
  const [site, world] = [await openSite(), await openWorld()];
  const product = await openProduct(world);
  await Promise.all([postgres.start(), redis.start()]);
  const port = await freePort();
  const publicUrl = `http://localhost:${port}`;
  const env = {
    ...world.env,
    UPSTREAM_MAP: product.upstreamMap,
    DATABASE_URL: postgres.url,
    PENDING_STORE: redis.url,
    SERVER_PUBLIC_URL: publicUrl,
    TRUST_PROXY: 'true',
  };
  const start = (which?: readonly string[], at?: number): Promise<Gateway> =>
    site.start({
      env,
      ...(which === undefined ? {} : { command: which }),
      ...(at === undefined ? {} : { port: at }),
    });
  // The first one makes the tables.
  const gateways = [await start(command)];
  while (gateways.length < REPLICAS) gateways.push(await start(command));
  const nginx = await startNginx(
    gateways.map((gateway) => gateway.port),
    port,
  );
  const front: Running = {
    publicUrl,
    proxies: true,
    request: (path, init) => fetch(`${nginx.base}${path}`, { redirect: 'manual', ...init }),
    close: () => nginx.stop(),
  };
  const members: Member[] = [];
  for (const name of PEOPLE) members.push(await admit(world, front, name));
  const crowd = startCrowd(front, members);
  const errors: string[] = [];
  const kills: number[] = [];
  const readErrors = ({ output }: Gateway) =>
    void errors.push(...output.stdout.split('\n').filter((line) => line.includes('"level":"error"')));

  return {
    crowd,
    async replace(at, signal, which) {
      const gateway = gateways[at];
      if (gateway === undefined) throw new Error(`there is no replica ${at}`);
      if (signal === 'SIGKILL') kills.push(performance.now());
      gateway.signal(signal, signal === 'SIGKILL' ? 'group' : 'process');
      await gateway.exited;
      readErrors(gateway);
      gateways[at] = await start(which, gateway.port);
      await pause(AFTER_READY_MS);
    },
    async report(what) {
      await crowd.stop();
      const { tally, recorded } = crowd;
      const kinds = [...tally.answered].map(([kind, count]) => `${kind} ${count}`).join(', ');
      figure(`${what}, right answers`, `${answersOf(tally)} (${kinds})`, tally.answered.size >= 8);
      figure(`${what}, wrong answers`, [tally.wrong, ...tally.examples].join('\n'), tally.wrong === 0);
      const cuts = [...tally.cut].map(([kind, count]) => `${kind} ${count}`).join(', ');
      figure(`${what}, cut connections`, cutsOf(tally) === 0 ? 0 : `${cutsOf(tally)} (${cuts})`);
      const rows = await requestIds(postgres.url);
      const lost = [...recorded].flatMap(([id, one]) => (rows.has(id) ? [] : [one]));
      const gathered = lost.filter(
        ({ kind, at }) => kind === '/c' && kills.some((kill) => isJustBefore(at, kill)),
      );
      figure(
        `${what}, answered calls without their audit row`,
        `${lost.length - gathered.length} of ${recorded.size}`,
        lost.length === gathered.length && recorded.size > 0,
      );
      figure(`${what}, rows of /c that a killed process had not written yet`, gathered.length);
      const sessions = await Promise.all(members.map((member) => lostSessions(front, member)));
      figure(`${what}, sessions lost`, sessions.flat().join(', ') || 0, sessions.flat().length === 0);
      for (const gateway of gateways) readErrors(gateway);
      figure(`${what}, errors in the logs`, [errors.length, ...errors.slice(0, 5)].join('\n'));
    },
    async close() {
      await crowd.stop();
      await nginx.stop();
      await site.close();
      await Promise.all([product.close(), world.close(), postgres.close(), redis.close()]);
    },
  };
}

/** Rows of /c are gathered for up to 100 ms. A busy machine takes longer, and answers arrive after they were sent. */
const isJustBefore = (at: number, kill: number): boolean => at > kill - 1_000 && at < kill + 1_000;

async function requestIds(url: string): Promise<Set<string>> {
  const engine = openPostgres(url, { max: 1 });
  const { rows } = await engine.run(CompiledQuery.raw('select request_id from audit'));
  await engine.close();
  // The statement has exactly this column.
  return new Set((rows as { request_id: string }[]).map(({ request_id }) => request_id));
}

/** The portal session, the personal key and the grant of an application, each of which must still work. */
async function lostSessions(front: Running, member: Member): Promise<string[]> {
  const lost: string[] = [];
  for (const [what, headers] of Object.entries({ session: member.session, key: member.key })) {
    const response = await front.request('/api/auth/me', { headers });
    if (!(await response.text()).includes(member.email)) lost.push(`${what} of ${member.name}`);
  }
  if (!(await renewOnce(front, member))) lost.push(`application of ${member.name}`);
  return lost;
}
