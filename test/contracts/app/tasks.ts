// Tests that the gateway itself runs the approved call of a task, and completes it without a second call. reference: Tasks
import { beforeAll, expect, it } from 'vitest';
import { createTaskClient, resultsIn } from '../../support/task-client.ts';
import type { Subject } from '../app-contract.ts';
import type { Person } from './world.ts';

const TOOL = 'resend_send_email';
const POLLS = 10;

export function taskSentences(at: () => Subject): void {
  let cleo: Person;
  beforeAll(async () => {
    cleo = await at().world.person(at().gateway, 'cleo');
    await send('POST', '/api/auth/apikey/resend', { values: { apiKey: 're_cleo' } });
    await send('PUT', '/api/policy', { rules: [{ tool: TOOL, decision: 'ask' }] });
  });

  async function send(method: string, path: string, body?: unknown) {
    const response = await at().gateway.request(path, {
      method,
      headers: { ...cleo.session, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  }

  const client = () => createTaskClient(at().gateway, { ...cleo.key, 'content-type': 'application/json' });

  async function begin(subject: string) {
    const args = { from: 'a@b.example', to: ['c@d.example'], subject };
    const { taskId } = await client().begin([{ tool: TOOL, args }]);
    const { body } = await send('GET', '/api/approvals?state=pending');
    return { taskId, path: `/api/approvals/${body.approvals[0].id}` };
  }

  const sentWith = (subject: string) =>
    at().world.calls.filter(({ method, body }) => method === 'POST' && body.includes(subject));

  it('runs the approved call of a task once, for any number of parallel looks', async () => {
    const { taskId, path } = await begin('as a task');
    expect(await client().get(taskId)).toMatchObject({ status: 'working' });
    expect((await send('POST', path, { decision: 'approve' })).status).toBe(200);
    const tasks = await Promise.all(Array.from({ length: POLLS }, () => client().settle(taskId)));
    for (const task of tasks) expect(resultsIn(task)).toEqual([{ result: expect.anything() }]);
    expect(sentWith('as a task')).toHaveLength(1);
    expect((await send('GET', path)).body).toMatchObject({ state: 'done' });
  }, 60_000);

  it('runs nothing of a task that was cancelled', async () => {
    const { taskId, path } = await begin('cancelled task');
    expect((await client().cancel(taskId)).status).toBe(200);
    expect(await client().get(taskId)).toMatchObject({ status: 'cancelled' });
    expect((await send('POST', path, { decision: 'approve' })).status).toBe(409);
    expect(sentWith('cancelled task')).toEqual([]);
  });
}
