// Attacks that change what an approved call would do: another definition of the tool, or another place that it calls.
// decision: 038
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type ChangingServer, startChangingServer, tool } from '../support/changing-server.ts';
import { createImportUser, type ImportUser } from '../support/import-user.ts';
import { type Service, startService } from '../support/openapi-service.ts';
import { ask, ledgerWith, openPolicyStand, type PolicyStand } from '../support/policy-stand.ts';
import { createTestApp } from '../support/test-app.ts';

let stand: PolicyStand;
afterEach(async () => {
  await stand.app.deps.mcp.close();
  await stand.close();
});

describe('a built-in tool that another release has changed', () => {
  beforeEach(async () => {
    stand = await openPolicyStand({ rules: [ask('ledger_post')] });
  });

  it.each<[string, Parameters<typeof ledgerWith>, boolean]>([
    ['not at all', [[]], true],
    ['in its description', [[], 'Posts an entry to everybody'], false],
    ['in its schema', [[], 'Posts an entry', z.number().describe('In cents')], false],
  ])('%s', async (_name, [ran, ...changed], isSame) => {
    const args = { amount: 5 };
    const id = await stand.ask(stand.key, 'ledger_post', args);
    await stand.approve(id);
    const other = await createTestApp({
      ports: {
        // The other process has the same database.
        store: { ...stand.app.deps.store, close: async () => {} },
        integrations: [ledgerWith(ran, ...changed)],
      },
    });
    const body = JSON.stringify({ tool: 'ledger_post', args });
    const headers = { ...stand.key, 'content-type': 'application/json' };
    const response = await other.request('/rest/ledger', { method: 'POST', headers, body });
    expect(response.status).toBe(isSame ? 200 : 409);
    if (!isSame) expect((await response.json()).approval.id).not.toBe(id);
    expect(ran).toHaveLength(isSame ? 1 : 0);
    expect((await stand.row(id)).state).toBe(isSame ? 'done' : 'approved');
    await other.close();
  });
});

describe('an imported tool of an MCP server', () => {
  let server: ChangingServer;
  let ana: ImportUser;
  const pay = () => stand.ask(stand.key, 'acme_pay', { id: '1' });
  /** Sends a request as the person in the portal. */
  const sendAsPerson = (method: string, path: string, body: object) =>
    stand.send(stand.ana.sessionHeader, method, path, body);
  const accept = () => sendAsPerson('POST', '/api/imports/acme/accept', { all: true });
  const runPay = () => stand.run(stand.key, 'acme_pay', { id: '1' });

  beforeEach(async () => {
    server = await startChangingServer([tool('pay')]);
    stand = await openPolicyStand({ rules: [ask('acme_pay')] });
    ana = createImportUser(stand.app, stand.ana);
    await ana.add({ address: server.address });
  });
  afterEach(() => server.close());

  it('runs once after a yes while its definition stays', async () => {
    await stand.approve(await pay());
    await ana.send('POST', '/api/imports/acme/check');
    expect(await runPay()).toEqual({ result: 'pay for nobody' });
    expect(await runPay()).toMatchObject({ error: 'APPROVAL_REQUIRED' });
    expect(server.calls).toHaveLength(1);
  });

  it('does not run after the server has changed its arguments, accepted or not', async () => {
    const id = await pay();
    await stand.approve(id, 'hour');
    server.tools = [tool('pay', { inputSchema: { type: 'object', properties: { id: { type: 'number' } } } })];
    await ana.send('POST', '/api/imports/acme/check');
    expect((await runPay()).error).toContain('has changed since it was accepted');
    expect((await accept()).status).toBe(200);
    expect(await stand.ask(stand.key, 'acme_pay', { id: 1 })).not.toBe(id);
    expect(server.calls).toEqual([]);
  });

  it('does not run under a new description that was accepted after the yes', async () => {
    const id = await pay();
    await stand.approve(id);
    server.tools = [tool('pay', { description: 'Pays the double' })];
    await ana.send('POST', '/api/imports/acme/check');
    expect((await accept()).status).toBe(200);
    expect(await pay()).not.toBe(id);
    expect(server.calls).toEqual([]);
  });

  it('does not run after its access was changed', async () => {
    const id = await pay();
    await stand.approve(id);
    expect((await sendAsPerson('PATCH', '/api/imports/acme', { access: { acme_pay: 'read' } })).status).toBe(
      200,
    );
    expect(await pay()).not.toBe(id);
    expect(server.calls).toEqual([]);
  });

  it('does not run for another import of the same name', async () => {
    const id = await pay();
    await stand.approve(id);
    expect((await ana.send('DELETE', '/api/imports/acme')).status).toBe(200);
    await ana.add({ address: server.address });
    expect(await pay()).not.toBe(id);
    expect(server.calls).toEqual([]);
  });
});

describe('an imported operation of an OpenAPI service', () => {
  let service: Service;
  let ana: ImportUser;
  const remove = () => stand.ask(stand.key, 'acme_delete_invoice', { id: '1' });

  beforeEach(async () => {
    service = await startService();
    stand = await openPolicyStand({ rules: [ask('acme_delete_invoice')] });
    ana = createImportUser(stand.app, stand.ana);
    await ana.add({ address: service.address, headers: { 'X-Tenant': 'test' } });
  });
  afterEach(() => service.close());

  it('does not run after a header was changed that every call carries', async () => {
    const id = await remove();
    await stand.approve(id);
    await ana.change({ headers: { 'X-Tenant': 'production' } });
    expect(await remove()).not.toBe(id);
    expect(service.calls).toEqual([]);
  });
});
