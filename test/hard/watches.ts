// npm run test:soak [minutes]: 50 watches of an imported tool, each once a minute. Every run is counted by the service that it
// asks, and compared with the plan.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { runTool } from '../support/events.ts';
import { openSite, START } from '../support/gateway-process.ts';
import { figure, missedFigures, percentile } from './figures.ts';
import { pause } from './private-services.ts';
import { readVitals } from './vitals.ts';

const WATCHES = 50;
const EVERY = 60;
const minutes = Number(process.argv[2] ?? 60);

interface Run {
  list: string;
  id: string;
  /** When its first planned run is due, in milliseconds. */
  start: number;
}

const service = spawn(process.execPath, [join(import.meta.dirname, 'counting-service.ts')], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const site = await openSite();
try {
  const [said] = await once(service.stdout.setEncoding('utf8'), 'data');
  const url = `http://127.0.0.1:${String(said).trim().split(' ').at(-1)}`;
  const gateway = await site.start({ command: START });
  const user = { keyHeader: { 'x-service-api-key': gateway.apiKey } };
  await addImport(url);
  const runs: Run[] = [];
  for (let count = 0; count < WATCHES; count++) runs.push(await subscribe(`list ${count}`));
  console.log(`${new Date().toISOString()}  ${WATCHES} watches over ${gateway.base}, ${minutes} minutes`);

  // The last run of each is due before this, and the next one after it.
  const end = Math.max(...runs.map(({ start }) => start)) + (minutes - 1) * EVERY * 1000 + 30_000;
  while (Date.now() < end) await pause(Math.min(10_000, end - Date.now()));

  const calls: Record<string, number[]> = await (await fetch(`${url}/calls`)).json();
  const late: number[] = [];
  let [missed, doubled, made] = [0, 0, 0];
  for (const { list, start } of runs) {
    // The first two asked when it was made: what cannot be read is told then, and the baseline is a run.
    const planned = (calls[list] ?? []).slice(2);
    made += planned.length;
    const inSlot = Array.from({ length: minutes }, () => 0);
    for (const time of planned) {
      const slot = Math.floor((time - start) / (EVERY * 1000));
      inSlot[slot] = (inSlot[slot] ?? 0) + 1;
      late.push(time - start - slot * EVERY * 1000);
    }
    missed += inSlot.filter((count) => count === 0).length;
    doubled += inSlot.filter((count) => count > 1).length;
  }
  figure('runs', `${made} of ${WATCHES * minutes} planned`, made === WATCHES * minutes);
  figure('planned runs that were missed', missed, missed === 0);
  figure('planned runs that were made twice', doubled, doubled === 0);
  figure('a run after its time, middle', `${percentile(late, 0.5)} ms`);
  figure('a run after its time, 99 of 100', `${percentile(late, 0.99)} ms`);
  figure('a run after its time, longest', `${Math.max(...late)} ms`);

  const { body } = await runTool(gateway, user, 'events_list');
  const states = body.result.subscriptions.map(
    ({ state, lastRun }: { state: string; lastRun: number }) =>
      `${state}${Date.now() / 1000 - lastRun < 2 * EVERY ? '' : ', not run'}`,
  );
  const fine = states.filter((state: string) => state === 'ok').length;
  figure('watches that say "ok" and have run', `${fine} of ${WATCHES}`, fine === WATCHES);

  const read = new Map<string, unknown[]>();
  for (let cursor: string | undefined; ;) {
    const args = cursor === undefined ? {} : { cursor };
    const page = (await runTool(gateway, user, 'events_read', args)).body.result;
    for (const { subscription, payload } of page.events)
      read.set(subscription, [...(read.get(subscription) ?? []), payload.id]);
    if (page.events.length === 0) break;
    ({ cursor } = page);
  }
  const items = [...read.values()];
  const once_ = items.filter((ids) => new Set(ids).size === ids.length && ids.length === minutes).length;
  figure('lists of which each new item was read once', `${once_} of ${WATCHES}`, once_ === WATCHES);
  const { resident, processor } = await readVitals(gateway);
  figure('resident', `${resident} MiB`);
  figure('processor time', `${processor.toFixed(1)} s`);
  await gateway.stop();

  async function addImport(server: string): Promise<void> {
    const list = { name: 'list', in: 'query', required: true, schema: { type: 'string' } };
    const document = {
      openapi: '3.1.0',
      info: { title: 'Counting', version: '1.0.0' },
      servers: [{ url: server }],
      paths: {
        '/items': {
          get: { operationId: 'listItems', parameters: [list], responses: { 200: { description: 'Items' } } },
        },
      },
    };
    const form = { document: JSON.stringify(document), name: 'counting', auth: { type: 'none' } };
    const answer = await gateway.request('/api/imports', {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.session}`, 'content-type': 'application/json' },
      body: JSON.stringify(form),
    });
    if (answer.status !== 201) throw new Error(await answer.text());
  }

  async function subscribe(list: string): Promise<Run> {
    const watch = { tool: 'counting_list_items', args: { list }, items: 'items', id: 'id', every: EVERY };
    const { status, body: made } = await runTool(gateway, user, 'events_subscribe', {
      integration: 'watch',
      args: watch,
    });
    if (status !== 200) throw new Error(JSON.stringify(made));
    const { id, nextRun } = made.result.subscription;
    return { list, id, start: nextRun * 1000 };
  }
} finally {
  await site.close();
  service.kill();
}
process.exitCode = missedFigures().length === 0 ? 0 : 1;
