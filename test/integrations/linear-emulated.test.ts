// Tests Linear end to end, against its emulator: connected by a sign-in, read, written, refreshed.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectAt } from '../support/emulators.ts';
import { ANA, type LinearEmulator, startLinear } from '../support/linear-emulator.ts';
import { createPerson, type Person } from '../support/person.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

let emulator: LinearEmulator;
let app: TestApp;
let ana: Person;

beforeAll(async () => {
  emulator = await startLinear();
  app = await createTestApp({ env: emulator.env });
  ana = await createPerson(app);
});
afterAll(async () => {
  await app?.close();
  await emulator?.close();
});

/** Finds a node of a list by its name. */
async function named(tool: string, name: string): Promise<string> {
  const { nodes } = Object(await ana.run(tool));
  return nodes.find((node: { name: string }) => node.name === name).id;
}

const recent = (count: number) => emulator.requests.slice(-count).map(({ path }) => path);
const tokens = () => emulator.requests.map(({ authorization }) => authorization);

describe('connecting to Linear', () => {
  it('is required before the first call', async () => {
    await expect(ana.run('linear_whoami')).rejects.toThrow('NOT_CONNECTED');
  });

  it("asks for the tools' scopes as the person, with PKCE", async () => {
    const { body } = await ana.get('/api/auth/linear');
    const { origin, pathname, searchParams } = new URL(Reflect.get(Object(body), 'url'));
    expect(`${origin}${pathname}`).toBe('https://linear.app/oauth/authorize');
    expect(Object.fromEntries(searchParams)).toMatchObject({
      scope: 'read,write',
      actor: 'user',
      prompt: 'consent',
      code_challenge_method: 'S256',
    });
  });

  it('ends in the portal', async () => {
    expect(await connectAt(emulator, { app, person: ana, integration: 'linear', login: ANA })).toBe(
      'http://localhost:3000#connected=linear',
    );
    expect(await ana.run('linear_whoami')).toMatchObject({ email: ANA, name: 'Ana Müller', admin: true });
  });
});

describe('a Linear team', () => {
  it('lists its teams, states, labels, people and projects', async () => {
    const id = await named('linear_list_teams', 'Engineering');
    expect(await ana.run('linear_get_team', { id })).toMatchObject({
      key: 'ENG',
      states: { nodes: [{}, { name: 'Todo' }, { name: 'In Progress', type: 'started' }, { name: 'Done' }] },
      labels: { nodes: [{ name: 'Bug' }, { name: 'Feature' }] },
    });
    expect(await named('linear_list_workflow_states', 'Done')).toEqual(expect.any(String));
    expect(await named('linear_list_users', 'Ana Müller')).toEqual(expect.any(String));
    expect(
      await ana.run('linear_get_project', { id: await named('linear_list_projects', 'Umzug') }),
    ).toMatchObject({
      name: 'Umzug',
    });
  });

  it('creates an issue, changes it, comments on it, and archives it', async () => {
    const teamId = await named('linear_list_teams', 'Engineering');
    const labelIds = [await named('linear_list_labels', 'Bug')];
    const text = 'Schöne Grüße,\n- „eins“\n- 🌱 zwei';
    const made = { teamId, title: 'Größe prüfen', description: text, priority: 2, labelIds };
    const { success, issue } = Object(await ana.run('linear_create_issue', made));
    expect(success).toBe(true);
    expect(issue).toMatchObject({
      title: 'Größe prüfen',
      description: text,
      priority: 2,
      team: { key: 'ENG' },
    });

    const stateId = await named('linear_list_workflow_states', 'In Progress');
    const assigneeId = await named('linear_list_users', 'Ana Müller');
    const changes = { id: issue.identifier, stateId, assigneeId, dueDate: '2026-03-31' };
    expect(await ana.run('linear_update_issue', changes)).toMatchObject({
      issue: { state: { name: 'In Progress' }, assignee: { name: 'Ana Müller' }, dueDate: '2026-03-31' },
    });
    expect(await ana.run('linear_update_issue', { id: issue.id, assigneeId: null })).toMatchObject({
      issue: { assignee: null, state: { name: 'In Progress' } },
    });

    const { comment } = Object(await ana.run('linear_add_comment', { issueId: issue.id, body: 'Fast.' }));
    await ana.run('linear_update_comment', { id: comment.id, body: 'Fertig!' });
    expect(await ana.run('linear_get_issue', { id: issue.identifier })).toMatchObject({
      title: 'Größe prüfen',
      labels: { nodes: [{ name: 'Bug' }] },
      comments: { nodes: [{ id: comment.id, body: 'Fertig!', user: { name: 'Ana Müller' } }] },
    });

    const filter = { title: { contains: 'Größe' } };
    expect(await ana.run('linear_list_issues', { filter, orderBy: 'updatedAt' })).toMatchObject({
      nodes: [{ id: issue.id }],
    });
    expect(await ana.run('linear_archive_issue', { id: issue.id })).toEqual({ success: true });
  });

  it('pages through issues with after', async () => {
    const teamId = await named('linear_list_teams', 'Engineering');
    for (const name of ['eins', 'zwei', 'drei']) await ana.run('linear_create_label', { name, teamId });
    const first = Object(await ana.run('linear_list_labels', { first: 3 }));
    expect(first).toMatchObject({ nodes: { length: 3 }, pageInfo: { hasNextPage: true } });
    const { endCursor: after } = first.pageInfo;
    const second = Object(await ana.run('linear_list_labels', { first: 250, after }));
    expect(second.pageInfo.hasNextPage).toBe(false);
    const ids = [...first.nodes, ...second.nodes].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(second.nodes.at(-1).name).toBe('drei');
  });

  it('accepts a raw request', async () => {
    const body = { query: 'query($key:String!){team(id:$key){name}}', variables: { key: 'ENG' } };
    expect(await ana.run('linear_request', { method: 'POST', path: '/graphql', body })).toEqual({
      data: { team: { name: 'Engineering' } },
    });
  });
});

describe('a request that Linear refuses', () => {
  it("passes on Linear's own message, whatever the status", async () => {
    await expect(ana.run('linear_update_issue', { id: 'ENG-999', title: 'x' })).rejects.toThrow(/not found/i);
    emulator.script.push(Response.json({ data: null, errors: [{ message: 'Entity not found: Issue' }] }));
    await expect(ana.run('linear_get_issue', { id: 'ENG-999' })).rejects.toThrow('Entity not found: Issue');
  });

  it('fails as a raw request, too', async () => {
    emulator.script.push(Response.json({ data: null, errors: [{ message: 'Entity not found: Issue' }] }));
    const raw = { method: 'POST', path: '/graphql', body: { query: '{viewer{id}}' } };
    await expect(ana.run('linear_request', raw)).rejects.toThrow('Entity not found: Issue');
  });
});

describe("Linear's tokens", () => {
  it('are refreshed when they expire, and rotate', async () => {
    const before = tokens().at(-1);
    for (const _ of [1, 2]) {
      app.clock.advance(24 * 3600);
      expect(await ana.run('linear_whoami')).toMatchObject({ email: ANA });
      expect(recent(2)).toEqual(['/oauth/token', '/graphql']);
    }
    expect(tokens().at(-1)).not.toBe(before);
  });

  it('are refreshed when Linear refuses them', async () => {
    emulator.revoke();
    expect(await ana.run('linear_whoami')).toMatchObject({ email: ANA });
    expect(recent(3)).toEqual(['/graphql', '/oauth/token', '/graphql']);
  });

  it('are refreshed when Linear refuses them with status 200', async () => {
    const extensions = { type: 'authentication error', code: 'AUTHENTICATION_ERROR' };
    const errors = [{ message: 'Authentication required', extensions }];
    emulator.script.push(Response.json({ data: null, errors }));
    expect(await ana.run('linear_whoami')).toMatchObject({ email: ANA });
    expect(recent(3)).toEqual(['/graphql', '/oauth/token', '/graphql']);
  });
});
