// Tests what a Worker says of scripts that has no Node gateway behind it: test/workers/split.test.ts has one. reference: Scripts
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWorld, type Person, type Running, type World } from '../contracts/app/world.ts';
import { call } from '../support/mcp.ts';
import { startWorker } from '../support/worker.ts';

let world: World;
let worker: Running;
let ana: Person;
beforeAll(async () => {
  world = await openWorld();
  worker = { ...(await startWorker({ vars: world.env })), proxies: false };
  ana = await world.person(worker, 'ana');
}, 180_000);
afterAll(async () => {
  await worker.close();
  await world.close();
});

const SENTENCE = expect.stringMatching(/^Scripts need a Node gateway\. .*NODE_ORIGIN is not set/);

it('says in a sentence that a Worker alone runs no scripts, at every door', async () => {
  const executions = [
    { tool: 'script_run', args: { code: 'return 1' } },
    { tool: 'script_save', args: { name: 'kept', code: 'return 1' } },
  ];
  const [ran, saved] = (await call(worker, ana.key, 'execute_tools', { executions })).results;
  expect(ran).toMatchObject({ error: SENTENCE, integration: 'scripts' });
  expect(saved).toMatchObject({ result: { tool: 'scripts_kept', version: 1 } });
  const [kept] = (await call(worker, ana.key, 'execute_tools', { executions: [{ tool: 'scripts_kept' }] }))
    .results;
  expect(kept).toMatchObject({ error: SENTENCE, integration: 'scripts' });
  const json = { ...ana.key, 'content-type': 'application/json' };
  const body = JSON.stringify(executions[0]);
  const overRest = await worker.request('/rest/scripts', { method: 'POST', headers: json, body });
  expect(await overRest.json()).toMatchObject({ error: SENTENCE });
  const listed = await worker.request('/api/scripts', { headers: ana.session });
  expect(await listed.json()).toMatchObject({ scripts: [{ name: 'kept' }] });
});
