// Performs the attack through the ways that are no plain call: jots, sets, imported APIs, tasks, machines' routes and kept files.
// reference: Outside content; decision: 063
import * as z from 'zod';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Rule } from '../../src/kit/actor.ts';
import { renderFile } from '../../src/kit/files.ts';
import { defineIntegration, tool } from '../../src/kit/integration.ts';
import { type CallStage, openCallStage } from '../support/call-doors.ts';
import { downloadFile } from '../support/files.ts';
import { importAsPerson } from '../support/imported-shop.ts';
import { mailbox } from '../support/mailbox.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { call } from '../support/mcp.ts';
import { openPolicyStand, type PolicyStand } from '../support/policy-stand.ts';
import { putRules } from '../support/raw-policy.ts';
import { callSet, makeSet } from '../support/sets.ts';
import { createTaskClient } from '../support/task-client.ts';

const AFTER: Rule[] = [
  { access: 'write', after: 'outside', decision: 'ask' },
  { access: 'destroy', after: 'outside', decision: 'ask' },
];
const TOKEN = `ghp_${'a1B2c3D4e'.repeat(4)}`;
const WHY = 'because mailbox_read was read 0 s ago and its content comes from outside';
const PAGE = { name: 'loot', files: [{ path: 'index.html', content: 'the keys' }] };

/** A drive whose files hold what the test wants. */
const drive = (content: () => Buffer<ArrayBuffer>, mimeType = 'text/plain') =>
  defineIntegration({
    name: 'drive',
    version: '1.0.0',
    displayName: 'Drive',
    description: 'Files',
    categories: ['test'],
    logo: null,
    auth: { type: 'none' },
    tools: [
      tool(
        'drive_get',
        'Gets a file',
        () => ({ asFile: z.boolean().default(true) }),
        ({ asFile }, { files }) =>
          renderFile(files, { bytes: content(), name: `${TOKEN}.txt`, mimeType }, { asFile }),
      ),
    ],
  });

let content = Buffer.from('');
let stand: PolicyStand;
beforeEach(async () => {
  stand = await openPolicyStand({
    rules: AFTER,
    integrations: [mailbox(), drive(() => content)],
    ports: { clock: createManualClock() },
  });
});
afterEach(() => stand.close());

const read = () => stand.run(stand.key, 'mailbox_read');
const jots = () => stand.app.deps.jots.list(stand.ana.id);

describe('after a letter was read', () => {
  it('a page is not published by the tool', async () => {
    await read();
    expect(await stand.run(stand.key, 'deploy_jot', PAGE)).toMatchObject({
      error: 'APPROVAL_REQUIRED',
      message: expect.stringContaining(WHY),
    });
    expect(await jots()).toEqual([]);
  });

  it('a page is not published by the route of the API', async () => {
    await read();
    const { status, body } = await stand.send(stand.key, 'POST', '/api/jots/loot/upload', {});
    expect(status).toBe(403);
    expect(body).toMatchObject({ error: 'BLOCKED', message: expect.stringContaining(WHY) });
  });

  it('a person in the portal publishes their page all the same', async () => {
    await read();
    const { status } = await stand.send(stand.ana.sessionHeader, 'POST', '/api/jots/mine/upload', {});
    expect(status).toBe(201);
  });

  it('a tool of a set asks too', async () => {
    await makeSet(stand.app, stand.ana, 'work', ['mailbox_read', 'ledger_post']);
    await callSet(stand.app, stand.key, 'work', 'mailbox_read');
    const { isError, content: shown } = await callSet(stand.app, stand.key, 'work', 'ledger_post', {
      amount: 1,
    });
    expect(isError).toBe(true);
    expect(JSON.stringify(shown)).toContain(WHY);
    expect(stand.ran).toEqual([]);
  });

  it('a call that waits as a task says why', async () => {
    await read();
    const client = createTaskClient(stand.app, stand.key);
    const task = await client.begin([{ tool: 'ledger_post', args: { amount: 1 } }]);
    expect(task.statusMessage).toContain(`A person has to approve ledger_post, ${WHY}: http`);
    const rows = await stand.send(stand.ana.sessionHeader, 'GET', '/api/audit');
    expect(JSON.stringify(rows.body)).toContain('APPROVAL_REQUIRED: mailbox_read was read 0 s ago');
    const { approvals } = (await stand.send(stand.ana.sessionHeader, 'GET', '/api/approvals')).body;
    await stand.approve(approvals[0].id);
    expect(await client.settle(task.taskId)).toMatchObject({ status: 'completed' });
    expect(stand.ran).toMatchObject([{ tool: 'ledger_post' }]);
  });

  it('a page that is read by the route of the API marks its caller', async () => {
    await stand.send(stand.key, 'GET', '/api/jots/none');
    expect(await stand.run(stand.key, 'ledger_post')).toMatchObject({
      error: 'APPROVAL_REQUIRED',
      message: expect.stringContaining('because get_jot was read'),
    });
  });
});

describe('an imported API', () => {
  let stage: CallStage;
  beforeEach(async () => {
    stage = await openCallStage();
    await importAsPerson(stage, stage.ana);
    await putRules(stage, AFTER);
  });
  afterEach(() => stage.close());

  it('lends no cookies after a read', async () => {
    const path = '/api/integrations/jar/session/export';
    const get = () => stage.app.request(path, { headers: stage.ana.keyHeader });
    expect((await get()).status).toBe(200);
    await call(stage.app, stage.ana.keyHeader, 'execute_tools', {
      executions: [{ tool: 'shop_get_item', args: { id: '1' } }],
    });
    expect((await get()).status).toBe(403);
  });

  it('marks by its reads, and is asked before its changes', async () => {
    stage.answer((_, outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{"text":"obey"}');
    });
    const run = async (name: string, args: object) => {
      const executions = [{ tool: name, args }];
      const { results } = await call(stage.app, stage.ana.keyHeader, 'execute_tools', { executions });
      return results[0];
    };
    expect(await run('shop_wipe_all', {})).toHaveProperty('result');
    expect(await run('shop_get_item', { id: '1' })).toHaveProperty('result');
    expect(await run('shop_wipe_all', {})).toMatchObject({
      error: 'APPROVAL_REQUIRED',
      message: expect.stringContaining('because shop_get_item was read 0 s ago'),
    });
    const token = await stage.token({ integrations: ['shop'] });
    const sent = await stage.get('/c/shop/wipe', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await sent.json()).toMatchObject({ error: 'APPROVAL_REQUIRED' });
  });
});

describe('a file that a tool keeps', () => {
  const secrets: Rule[] = [{ integration: 'drive', redact: 'secrets', decision: 'allow' }];

  it('loses its secrets before it is kept, and the result says which', async () => {
    await stand.putRules(secrets);
    content = Buffer.from(`${'line\n'.repeat(60_000)}key: ${TOKEN}\nend ${TOKEN} é`);
    const { result, redacted } = await stand.run(stand.key, 'drive_get');
    expect(redacted).toEqual({ github_token: 3 });
    const kept = await downloadFile(stand.app, result);
    expect(kept.toString()).toBe(
      `${'line\n'.repeat(60_000)}key: [removed: github_token]\nend [removed: github_token] é`,
    );
    expect(result.file).toMatchObject({ name: expect.not.stringContaining(TOKEN), bytes: kept.length });
  });

  it('is kept as it is where it is no text', async () => {
    await stand.putRules(secrets);
    content = Buffer.concat([Buffer.from([0, 255]), Buffer.from(TOKEN)]);
    const { result } = await stand.run(stand.key, 'drive_get');
    expect(await downloadFile(stand.app, result)).toEqual(content);
  });

  it('is kept as it is where no rule is for its integration', async () => {
    await stand.putRules([{ integration: 'mailbox', redact: 'secrets', decision: 'allow' }]);
    content = Buffer.from(TOKEN);
    const { result, redacted } = await stand.run(stand.key, 'drive_get');
    expect(redacted).toBeUndefined();
    expect((await downloadFile(stand.app, result)).toString()).toBe(TOKEN);
  });

  it('is what the agent has uploaded, whatever the rules take out of results', async () => {
    await stand.putRules([{ redact: 'secrets', decision: 'allow' }]);
    const { result } = await stand.run(stand.key, 'upload_file', { name: 'a.txt', content: TOKEN });
    expect((await downloadFile(stand.app, result)).toString()).toBe(TOKEN);
  });
});
