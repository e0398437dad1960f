// Tests tool calls over /rest. reference: REST
import { expect, it } from 'vitest';
import type { Subject } from '../app-contract.ts';

export function toolSentences(at: () => Subject): void {
  async function ask(path: string, body?: unknown, type = 'application/json') {
    const { gateway, ana } = at();
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const response = await gateway.request(path, { ...init, headers: { ...ana.key, 'content-type': type } });
    return { status: response.status, body: await response.json() };
  }

  it('lists the tools of an integration with their schemas', async () => {
    const { integrations } = (await ask('/rest')).body;
    expect(integrations).toContainEqual(
      expect.objectContaining({ name: 'time', authType: 'none', connected: true }),
    );
    const { body } = await ask('/rest/time');
    expect(body).toMatchObject({ integration: 'time', connected: true });
    expect(body.tools[0].inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
  });

  it('runs wrapped, flat and batched calls', async () => {
    const wrapped = await ask('/rest/time', { tool: 'time_now', args: { timeZone: 'Asia/Tokyo' } });
    expect(wrapped).toMatchObject({
      status: 200,
      body: { integration: 'time', tool: 'time_now', result: { timeZone: 'Asia/Tokyo' } },
    });
    expect((await ask('/rest/time', { tool: 'now', timeZone: 'Asia/Tokyo' })).body.tool).toBe('time_now');
    const batch = await ask('/rest/time', {
      executions: [
        { tool: 'now', args: {} },
        { tool: 'nope', args: {} },
      ],
    });
    expect(batch).toMatchObject({ status: 200, body: { results: [{ result: {} }, { error: /./ }] } });
  });

  it('reads and writes an integer beyond 2^53 with all its digits', async () => {
    const { gateway, ana } = at();
    const body = '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}';
    const response = await gateway.request('/mcp', { method: 'POST', headers: ana.key, body });
    expect(await response.text()).toBe('{"jsonrpc":"2.0","id":9007199254740993,"result":{}}');
  });

  it('answers each failure with the status of its cause', async () => {
    expect(await ask('/rest/nowhere', { tool: 'x' })).toMatchObject({ status: 404 });
    expect(await ask('/rest/time', { tool: 'nope' })).toMatchObject({
      status: 404,
      body: { integration: 'time' },
    });
    expect(await ask('/rest/time', {})).toMatchObject({ status: 400 });
    const invalid = await ask('/rest/time', { tool: 'now', args: { zone: 'x' } });
    expect(invalid).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/^Invalid arguments for time_now:/) },
    });
    expect(await ask('/rest/time', {}, 'text/plain')).toMatchObject({ status: 415 });
    expect(await ask('/rest/resend', { tool: 'list_emails' })).toMatchObject({
      status: 409,
      body: { error: 'NOT_CONNECTED', integration: 'resend', tool: 'resend_list_emails' },
    });
  });
}
