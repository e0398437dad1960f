// Tests the guides as skills: listed, described and read, for what the caller may use. SEP-2640; reference: Skills
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { integrations } from '../../integrations/all.ts';
import { guides } from '../../integrations/guides.ts';
import { GATEWAY_GUIDE } from '../../src/mcp/meta-tools/gateway-guide.ts';
import { call, modernHeaders, modernMeta, rpc } from '../support/mcp.ts';
import { openPolicyStand, type PolicyStand, rule } from '../support/policy-stand.ts';

const GITHUB = 'skill://integrations/github/SKILL.md';
const GATEWAY = 'skill://tool-gateway/SKILL.md';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const DECLARED = { extensions: { 'io.modelcontextprotocol/skills': {} } };

let stand: PolicyStand;
beforeAll(async () => {
  stand = await openPolicyStand({ rules: [rule('block', { integration: 'slack' })], integrations });
});
afterAll(() => stand.close());

// oxlint-disable-next-line typescript/no-explicit-any
async function modern(method: string, params: object = {}, name?: string): Promise<any> {
  const headers = { ...stand.key, ...modernHeaders(method, name) };
  const { body } = await rpc(stand.app, headers, method, { _meta: modernMeta, ...params });
  return body.result ?? body.error;
}
const read = (uri: string) => modern('resources/read', { uri }, uri);
// oxlint-disable-next-line typescript/no-explicit-any
const list = async (): Promise<any[]> => (await modern('skills/list')).skills;

describe('skills', () => {
  it('are one of the gateway and one of each integration with a guide that the caller may use', async () => {
    const uris = (await list()).map(({ uri }) => uri);
    expect(uris[0]).toBe(GATEWAY);
    expect(uris).toContain(GITHUB);
    expect(uris).toContain('skill://integrations/outlook-calendar/SKILL.md');
    expect(uris).not.toContain('skill://integrations/slack/SKILL.md');
    expect(uris).toHaveLength(Object.keys(guides).length);
  });

  it('have the digest and the size of what is read, and its frontmatter', async () => {
    for (const { uri, frontmatter, resources } of await list()) {
      const { contents } = await read(uri);
      const { text, mimeType } = contents[0];
      expect(mimeType).toBe('text/markdown');
      const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`;
      expect(resources).toEqual([{ uri, digest, size: Buffer.byteLength(text) }]);
      const [, name, description] = /^---\nname: (\S+)\ndescription: (".+")\n---\n\n/.exec(text) ?? [];
      expect({ name, description: JSON.parse(description ?? '') }).toEqual(frontmatter);
      expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(uri).toContain(`/${name}/SKILL.md`);
    }
  });

  it('are the guides, word for word', async () => {
    expect((await read(GITHUB)).contents[0].text).toContain(`---\n\n${guides['github']}`);
    expect((await read(GATEWAY)).contents[0].text).toContain(`---\n\n${GATEWAY_GUIDE}`);
  });

  it('are described alone by skills/get', async () => {
    const [first] = await list();
    expect(await modern('skills/get', { uri: GATEWAY })).toMatchObject({
      resultType: 'complete',
      skill: first,
      cacheScope: 'private',
    });
  });

  it.each([
    'skill://integrations/slack/SKILL.md',
    'skill://integrations/github',
    'skill://nothing/SKILL.md',
    5,
    undefined,
  ])('that the caller may not use, or that do not exist, are not found: %s', async (uri) => {
    expect(await modern('skills/get', { uri })).toMatchObject({ code: -32602, message: 'Skill not found' });
    if (typeof uri === 'string') expect(await read(uri)).toMatchObject({ message: 'Resource not found' });
  });

  it('are resources for a client that says that it knows skills, and for no other', async () => {
    const asked = { _meta: { ...modernMeta, [CAPABILITIES]: DECLARED } };
    const { resources } = await modern('resources/list', asked);
    expect(resources).toHaveLength(Object.keys(guides).length);
    expect(resources[0]).toEqual({
      uri: GATEWAY,
      name: 'tool-gateway',
      description: expect.any(String),
      mimeType: 'text/markdown',
      size: expect.any(Number),
    });
    expect((await modern('resources/list')).resources).toEqual([]);
  });

  it('do not exist in the legacy era', async () => {
    const { body } = await rpc(stand.app, stand.key, 'skills/list');
    expect(body.error?.code).toBe(-32601);
  });
});

describe('get_tool_schema of the name of an integration', () => {
  const schema = (tool: string) => call(stand.app, stand.key, 'get_tool_schema', { tool });

  it('is not found, and has the guide', async () => {
    expect(await schema('github')).toEqual({ error: 'Tool not found', guide: guides['github'] });
    expect(await schema('gateway')).toEqual({ error: 'Tool not found', guide: GATEWAY_GUIDE });
  });

  it('has the guide in a list too', async () => {
    const { schemas } = await schema('jira,github_whoami');
    expect(schemas).toMatchObject({ jira: { guide: guides['jira'] }, github_whoami: {} });
  });

  it('has none where there is none, and where nothing of it may be used', async () => {
    expect(await schema('ledger')).not.toHaveProperty('guide');
    expect(await schema('slack')).not.toHaveProperty('guide');
  });
});
