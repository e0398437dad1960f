// Checks the names of imported tools: no two share one, and the names of their own servers find them too. decision: 042
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createImportUser, type ImportUser } from '../support/import-user.ts';
import { call, callText } from '../support/mcp.ts';
import { type Script, type ScriptedServer, startScripted } from '../support/scripted-mcp.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let user: TestUser;
let ana: ImportUser;
const servers: ScriptedServer[] = [];

beforeEach(async () => {
  app = await createTestApp();
  user = await app.user('owner@localhost');
  ana = createImportUser(app, user);
});
afterEach(async () => {
  await app.deps.mcp.close();
  await app.close();
  for (const server of servers.splice(0)) await server.close();
});

const listing =
  (...names: string[]): Script['tools/list'] =>
  ({ result }) =>
    result({ tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) });

/** Adds a server whose tools say its name. */
async function add(name: string, tools: string[], more: object = {}): Promise<ScriptedServer> {
  const server = await startScripted({
    'tools/list': listing(...tools),
    'tools/call': ({ result }) => result({ content: [{ type: 'text', text: `said by ${name}` }] }),
  });
  servers.push(server);
  const added = await ana.send('POST', '/api/imports', { name, address: server.address, ...more });
  expect(added.status).toBe(201);
  return server;
}

async function namesOf(integration: string): Promise<string[]> {
  const { body } = await ana.send('GET', `/rest/${integration}`);
  return body.tools.map(({ name }: { name: string }) => name);
}

async function overRest(integration: string, tool: string) {
  const response = await app.request(`/rest/${integration}`, {
    method: 'POST',
    headers: { ...user.keyHeader, 'content-type': 'application/json' },
    body: JSON.stringify({ tool, args: {} }),
  });
  const body = await response.json();
  return body.result ?? body.error;
}

const over = async (tool: string) => {
  const answer = await ana.run(tool);
  return answer.result ?? answer.error;
};

describe('two imports whose tools would have one name', () => {
  it.each([
    { early: 'sha', earlyTool: 'b_c', late: 'sha_b', lateTool: 'c' },
    { early: 'sha_b', earlyTool: 'c', late: 'sha', lateTool: 'b_c' },
  ])(
    'are both reached, and the first keeps the name: $early',
    async ({ early, earlyTool, late, lateTool }) => {
      await add(early, [earlyTool]);
      await add(late, [lateTool]);
      expect(await namesOf(early)).toEqual(['sha_b_c']);
      const [renamed = ''] = await namesOf(late);
      expect(renamed).toMatch(/^sha_b_c_[0-9a-f]{8}$/);
      expect(await over('sha_b_c')).toBe(`said by ${early}`);
      expect(await over(renamed)).toBe(`said by ${late}`);
      expect(await overRest(early, earlyTool)).toBe(`said by ${early}`);
      expect(await overRest(late, lateTool)).toBe(`said by ${late}`);
      // A check changes nothing, also when the plain name becomes free.
      await ana.send('DELETE', `/api/imports/${early}`);
      const checked = await ana.send('POST', `/api/imports/${late}/check`);
      expect(checked.status).toBe(200);
      expect(await namesOf(late)).toEqual([renamed]);
      expect(await over('sha_b_c')).toBe('Tool not found');
    },
  );

  it('keep their names when the one that was there grows', async () => {
    const growing = await add('sha', ['a']);
    await add('sha_b', ['c']);
    growing.play({ 'tools/list': listing('a', 'b_c') });
    expect((await ana.send('POST', '/api/imports/sha/check')).status).toBe(200);
    const { version } = (await ana.send('GET', '/api/imports/sha')).body;
    const accepted = await ana.send('POST', '/api/imports/sha/accept', { all: true, version });
    expect(accepted.status).toBe(200);
    expect(await namesOf('sha')).toEqual(['sha_a', expect.stringMatching(/^sha_b_c_[0-9a-f]{8}$/)]);
    expect(await over('sha_b_c')).toBe('said by sha_b');
  });

  it('keep the name of the older one where the later is for everyone', async () => {
    await add('sha', ['b_c']);
    app.clock.advance(1);
    await add('sha_b', ['c'], { for: 'everyone' });
    expect(await over('sha_b_c')).toBe('said by sha');
    expect(await namesOf('sha_b')).toEqual([expect.stringMatching(/^sha_b_c_[0-9a-f]{8}$/)]);
  });
});

describe('the name that a server uses itself', () => {
  it('finds its tool over REST, in execute_tools and in get_tool_schema', async () => {
    await add('acme', ['get-sum', 'API-get-self']);
    for (const name of ['get-sum', 'API-get-self']) {
      expect(await overRest('acme', name)).toBe('said by acme');
      expect(await over(name)).toBe('said by acme');
      expect(await call(app, user.keyHeader, 'get_tool_schema', { tool: name })).toHaveProperty('schema');
    }
    const { body } = await ana.send('GET', '/api/audit');
    expect(body.entries[0]).toMatchObject({ tool: 'acme_api_get_self' });
  });

  it('finds nothing where two servers use it, but for a caller who may use only one of them', async () => {
    await add('acme', ['get-sum']);
    await add('other', ['get-sum']);
    expect(await over('get-sum')).toBe('Tool not found');
    expect(await overRest('other', 'get-sum')).toBe('said by other');
    const minted = await app.deps.agentKeys.mint(user.id, {
      name: 'robot',
      limits: { integrations: ['other'] },
      expiresAt: null,
    });
    const executions = [{ tool: 'get-sum' }];
    const key = { 'x-service-api-key': minted?.key ?? '' };
    const { results } = await call(app, key, 'execute_tools', { executions });
    expect(results).toEqual([{ result: 'said by other' }]);
  });

  it('is never that of one of the nine, or of another tool', async () => {
    await add('acme', ['connect', 'time_now']);
    expect(await ana.run('connect')).toMatchObject({ error: 'Tool not found' });
    expect(await ana.run('time_now')).toMatchObject({ result: { timeZone: 'UTC' } });
    expect(await overRest('acme', 'connect')).toBe('said by acme');
  });

  it('does not keep a cut result readable when its tool is blocked later', async () => {
    const server = await add('acme', ['get-sum']);
    server.play({
      'tools/list': listing('get-sum'),
      'tools/call': ({ result }) => result({ content: [{ type: 'text', text: 'x'.repeat(70_000) }] }),
    });
    const text = await callText(app, user.keyHeader, 'execute_tools', { executions: [{ tool: 'get-sum' }] });
    const handle = /"handle":"([^"]+)"/.exec(text)?.[1];
    expect(await call(app, user.keyHeader, 'read_result', { handle })).toHaveProperty('value');
    const rules = [{ tool: 'acme_get_sum', decision: 'block' }];
    expect((await ana.send('PUT', '/api/policy', { rules })).status).toBe(200);
    expect(await call(app, user.keyHeader, 'read_result', { handle })).toMatchObject({
      error: 'Unknown handle',
    });
  });
});
