// Tests that an approved call runs exactly once. reference: Approvals
import { beforeAll, expect, it } from 'vitest';
import { call } from '../../support/mcp.ts';
import type { Subject } from '../app-contract.ts';
import type { Person } from './world.ts';

const TOOL = 'resend_send_email';
const REPEATS = 50;

interface Answer {
  error?: string;
  result?: unknown;
  approval?: { id: string; url: string };
}

export function approvalSentences(at: () => Subject): void {
  let bo: Person;
  beforeAll(async () => {
    bo = await at().world.person(at().gateway, 'bo');
    await send('POST', '/api/auth/apikey/resend', { values: { apiKey: 're_bo' } });
    await send('PUT', '/api/policy', { rules: [{ tool: TOOL, decision: 'ask' }] });
  });

  async function send(method: string, path: string, body?: unknown, headers = bo.session) {
    const response = await at().gateway.request(path, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  }

  const email = (subject: string) => ({ from: 'a@b.example', to: ['c@d.example'], subject });

  async function overMcp(subject: string): Promise<Answer> {
    const executions = [{ tool: TOOL, args: email(subject) }];
    return (await call(at().gateway, bo.key, 'execute_tools', { executions })).results[0];
  }

  const overRest = async (subject: string): Promise<Answer> =>
    (await send('POST', '/rest/resend', { tool: TOOL, args: email(subject) }, bo.key)).body;

  const sentWith = (subject: string) =>
    at().world.calls.filter(({ method, body }) => method === 'POST' && body.includes(subject));

  it(`runs an approved call for one of ${REPEATS} parallel repeats over MCP and REST`, async () => {
    const asked = await overRest('once');
    expect(asked).toMatchObject({ error: 'APPROVAL_REQUIRED' });
    const path = `/api/approvals/${asked.approval?.id}`;
    expect(asked.approval?.url).toContain(asked.approval?.id);
    expect((await send('POST', path, { decision: 'approve' }, bo.key)).status).toBe(403);
    expect(await send('POST', path, { decision: 'approve' })).toMatchObject({ body: { state: 'approved' } });
    const answers = await Promise.all(
      Array.from({ length: REPEATS }, (_, n) => (n % 2 === 0 ? overMcp('once') : overRest('once'))),
    );
    expect(answers.filter(({ error }) => error === undefined)).toEqual([
      expect.objectContaining({ result: expect.anything() }),
    ]);
    expect(answers.filter(({ error }) => error === 'APPROVAL_REQUIRED')).toHaveLength(REPEATS - 1);
    expect(sentWith('once')).toHaveLength(1);
    expect((await send('GET', path)).body).toMatchObject({ state: 'done', args: email('once') });
  }, 120_000);

  it('runs nothing after a no, and lets one of many parallel decisions win', async () => {
    const { approval } = await overMcp('never');
    const path = `/api/approvals/${approval?.id}`;
    const decisions = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        send('POST', path, { decision: n % 2 === 0 ? 'approve' : 'deny' }),
      ),
    );
    const won = decisions.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect(decisions.filter(({ status }) => status === 409)).toHaveLength(9);
    const isYes = won[0]?.body.state === 'approved';
    expect(await overMcp('never')).toMatchObject(isYes ? { result: {} } : { error: 'DENIED' });
    expect(sentWith('never')).toHaveLength(isYes ? 1 : 0);
  });

  it('ends a yes when the rules change, and blocks what they block', async () => {
    const { approval } = await overMcp('changed');
    await send('POST', `/api/approvals/${approval?.id}`, { decision: 'approve' });
    await send('PUT', '/api/policy', { rules: [{ tool: TOOL, decision: 'block' }] });
    expect(await overMcp('changed')).toMatchObject({ error: 'BLOCKED' });
    expect(await overRest('changed')).toMatchObject({ error: 'BLOCKED' });
    expect(sentWith('changed')).toEqual([]);
    const { body } = await send('GET', '/api/approvals');
    expect(body.approvals).toContainEqual(expect.objectContaining({ id: approval?.id, state: 'expired' }));
  });
}
