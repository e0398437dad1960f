// Goes through every service whose webhooks the gateway takes: deliveries that are right, wrong, old and repeated, and webhooks
// that the gateway makes and removes there. docs/events.md has the table of what comes out. reference: Webhooks
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deliver, readAll, runTool, subscribe } from '../support/events.ts';
import { HOOK_PROVIDERS, type HookProvider } from '../support/hook-providers.ts';
import { type HookService, type ServiceName, startHookService } from '../support/hook-services.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const BASE = 'https://gateway.example';
const PUBLIC = {
  SERVER_PUBLIC_URL: BASE,
  SESSION_SECRET: 'ab12'.repeat(16),
  ENCRYPTION_KEY: '0123456789abcdef'.repeat(4),
  EGRESS_ALLOW: '127.0.0.1',
};
const SERVICES: readonly ServiceName[] = ['github', 'gitlab', 'linear', 'jira', 'stripe', 'shopify'];
/** The columns of a row in the table, filled in as the tests go. */
const table = new Map<string, Record<string, string>>();
const note = ({ integration, event }: HookProvider, column: string, cell: string) => {
  const key = `${integration} ${event}`;
  table.set(key, { ...table.get(key), [column]: cell });
};

let app: TestApp;
let services: Record<ServiceName, HookService>;
let users = 0;
beforeAll(async () => {
  const started = await Promise.all(
    SERVICES.map(async (name) => [name, await startHookService(name)] as const),
  );
  // Each name is there once.
  services = Object.fromEntries(started) as typeof services;
  const map = Object.values(services).map((service) => service.map);
  // Libraries of the services look at the real time.
  const now = Math.floor(Date.now() / 1000);
  app = await createTestApp({ now, env: { ...PUBLIC, UPSTREAM_MAP: map.join() } });
});
afterAll(async () => {
  await app.close();
  await Promise.all(Object.values(services).map(({ api }) => api.close()));
});

const someone = () => app.user(`hooks${users++}@example.com`);
const send = (user: TestUser, method: string, path: string, body: object) =>
  app.request(path, {
    method,
    headers: { ...user.sessionHeader, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

describe('deliveries', () => {
  it.each(HOOK_PROVIDERS)('of $integration ($event) are taken when they are right', async (provider) => {
    const { integration, event, type, secret, isTimed, send: sign, judge } = provider;
    const ana = await someone();
    const args = secret === undefined ? {} : { secret };
    const to = await subscribe(app, ana, { integration, event, args });
    const theirs = secret ?? to.secret;
    const now = app.clock.now();
    const right = await sign(theirs, 'delivery-1', now, to.address);
    if (judge !== undefined) expect(await judge(theirs, right, to.address)).toBe(true);

    const taken = await deliver(app, to, right.body, right.headers);
    expect([taken.status, await taken.json()]).toEqual([200, { received: true }]);
    const { events, cursor } = await readAll(app, ana);
    expect(events).toMatchObject([{ integration, type, subscription: to.id }]);
    note(provider, 'right', 'taken');

    expect((await deliver(app, to, right.body, right.headers)).status).toBe(200);
    expect((await readAll(app, ana, { cursor })).events).toEqual([]);
    note(provider, 'again', 'once');

    const wrongSecret = event === 'standard' ? `whsec_${btoa('another secret of nobody')}` : 'another secret';
    const forged = await sign(wrongSecret, 'delivery-2', now, to.address);
    const refused = await deliver(app, to, forged.body, forged.headers);
    expect(refused.status).toBe(401);
    note(provider, 'wrong', String(refused.status));
    const changed = await sign(theirs, 'delivery-3', now, to.address);
    // The secret itself is sent by these two, and nothing is signed.
    if (event !== 'header' && integration !== 'gitlab')
      expect((await deliver(app, to, `${changed.body} `, changed.headers)).status).toBe(401);
    expect((await deliver(app, to, right.body)).status).toBe(401);
    const old = await sign(theirs, 'delivery-4', now - 600, to.address);
    const late = await deliver(app, to, old.body, old.headers);
    expect(late.status).toBe(isTimed ? 401 : 200);
    note(provider, 'old', isTimed ? String(late.status) : 'not signed');

    const [listed] = (await runTool(app, ana, 'events_list')).body.result.subscriptions;
    expect(listed).toMatchObject({ id: to.id, lastDelivery: now });
    await runTool(app, ana, 'events_unsubscribe', { id: to.id });
    expect((await deliver(app, to, right.body, right.headers)).status).toBe(404);
  });
});

describe('webhooks', () => {
  const providerOf = (name: string): HookProvider => {
    const found = HOOK_PROVIDERS.find(({ integration }) => integration === name);
    if (found === undefined) throw new Error(`no provider ${name}`);
    return found;
  };

  async function connected(name: ServiceName): Promise<TestUser> {
    const ana = await someone();
    const { values } = services[name];
    const answer = await send(ana, 'POST', `/api/auth/apikey/${name}`, { values });
    expect(answer.status, await answer.text()).toBe(200);
    return ana;
  }

  const wantedOf = (name: ServiceName) => ({
    integration: name,
    event: providerOf(name).event,
    args: services[name].args,
  });
  const madeAt = (name: ServiceName) => [...services[name].hooks].at(-1)?.[1];
  const listed = async (user: TestUser) =>
    (await runTool(app, user, 'events_list')).body.result.subscriptions[0];

  /** Sends one delivery as the service does, with the secret that it has. */
  async function delivered(user: TestUser, name: ServiceName): Promise<void> {
    const provider = providerOf(name);
    const hook = madeAt(name);
    if (hook === undefined) throw new Error('there is no webhook');
    const sent = await provider.send(hook.secret, 'made-1', app.clock.now(), hook.url);
    const answer = await deliver(app, { address: hook.url }, sent.body, sent.headers);
    expect(answer.status, await answer.text()).toBe(200);
    expect((await readAll(app, user)).events).toMatchObject([{ type: provider.type }]);
  }

  it.each(SERVICES)('are made at %s and removed with their subscription', async (name) => {
    const ana = await connected(name);
    const service = services[name];
    const made = await subscribe(app, ana, wantedOf(name));
    expect(made).toMatchObject({ subscription: { registered: true, state: 'waiting' } });
    expect(made).not.toHaveProperty('address');
    expect(made).not.toHaveProperty('secret');
    expect(madeAt(name)?.url).toMatch(/^https:\/\/gateway\.example\/hooks\/[\w-]{43}$/);
    if (name === 'shopify') {
      // Its secret is that of the app, which only its owner can see.
      expect(made.next).toMatch(/set the secret/);
      await send(ana, 'PUT', `/api/events/${made.id}/secret`, { secret: 'app-secret' });
    }
    await delivered(ana, name);
    note(providerOf(name), 'registered', name === 'shopify' ? 'yes, with the secret of the app' : 'yes');
    expect((await runTool(app, ana, 'events_unsubscribe', { id: made.id })).body.result).toEqual({
      removed: true,
    });
    expect(service.hooks.size).toBe(0);
    note(providerOf(name), 'removed', 'yes');
    expect(await service.judge()).toEqual([]);
  });

  it.each(SERVICES)('that %s refuses are shown to be made by hand, with what it says', async (name) => {
    const ana = await connected(name);
    services[name].refuse = true;
    try {
      const made = await subscribe(app, ana, wantedOf(name));
      expect(made).toMatchObject({ address: expect.any(String), subscription: { registered: false } });
      expect(made.next).toMatch(/could not be made there/);
      expect(made.next).toMatch(/accessible|admin|permission|Invalid topic/);
      expect(made.next).toMatch(/The address is shown only now/);
    } finally {
      services[name].refuse = false;
    }
  });

  it.each([
    ['github', ['*']],
    ['stripe', ['*']],
    ['gitlab', expect.arrayContaining(['push_events', 'issues_events'])],
    ['linear', expect.arrayContaining(['Issue', 'Comment'])],
    ['jira', expect.arrayContaining(['jira:issue_created', 'comment_created'])],
  ] as const)('of %s can be for all events', async (name, events) => {
    const ana = await connected(name);
    await subscribe(app, ana, { ...wantedOf(name), event: '*' });
    expect(madeAt(name)?.events).toEqual(events);
  });

  it('name one event where the service takes one, and an event that it has', async () => {
    for (const [name, event] of [
      ['shopify', '*'],
      ['gitlab', 'No Such Hook'],
    ] as const) {
      const made = await subscribe(app, await connected(name), { ...wantedOf(name), event });
      expect(made.next).toMatch(/one event at a time|does not know the event/);
    }
  });

  it('ask for an event by its name, and not for a part of it', async () => {
    await subscribe(app, await connected('stripe'), {
      ...wantedOf('stripe'),
      event: 'checkout.session.completed',
    });
    expect(madeAt('stripe')?.events).toEqual(['checkout.session.completed']);
    await subscribe(app, await connected('github'), { ...wantedOf('github'), event: 'issues.opened' });
    expect(madeAt('github')?.events).toEqual(['issues']);
  });

  it('are not asked of Jira by a sign-in, which it would refuse like a wrong token', async () => {
    const ana = await connected('jira');
    const { connections } = app.deps.store;
    const row = (await connections.list(ana.id)).find(({ integration }) => integration === 'jira');
    if (row === undefined) throw new Error('Jira is not connected');
    await connections.put({ ...row, config: JSON.stringify({ cloudId: 'cloud-a' }) });
    const before = services.jira.api.calls.length;
    const made = await subscribe(app, ana, wantedOf('jira'));
    expect(made.next).toMatch(/API token of an administrator/);
    expect(services.jira.api.calls).toHaveLength(before);
  });

  describe('that a person has to approve', () => {
    async function asked(name: ServiceName) {
      const ana = await connected(name);
      const rules = { rules: [{ integration: name, decision: 'ask' }] };
      expect((await send(ana, 'PUT', '/api/policy', rules)).status).toBe(200);
      const before = services[name].hooks.size;
      const made = await subscribe(app, ana, wantedOf(name));
      expect(made).toMatchObject({ subscription: { state: 'asked', registered: false } });
      expect(made.next).toMatch(/after a yes.*\/approvals\//s);
      expect(services[name].hooks.size).toBe(before);
      const decide = (decision: 'approve' | 'deny') =>
        send(ana, 'POST', `/api/approvals/${made.subscription.approval}`, { decision });
      return { ana, made, before, decide };
    }

    it.each(SERVICES)(
      'are made at %s after the yes, with the address and the secret that waited',
      async (name) => {
        const { ana, decide } = await asked(name);
        expect((await decide('approve')).status).toBe(200);
        await expect
          .poll(() => listed(ana))
          .toMatchObject({ state: 'waiting', registered: true, approval: null });
        if (name !== 'shopify') await delivered(ana, name);
      },
    );

    it('are made by the next round when the process is lost after the yes', async () => {
      const { ana, decide, before } = await asked('github');
      const { decided } = app.deps.eventRuns;
      app.deps.eventRuns.decided = () => Promise.resolve();
      await decide('approve');
      app.deps.eventRuns.decided = decided;
      expect(await listed(ana)).toMatchObject({ state: 'asked' });
      await Promise.all([app.deps.eventRuns.round(), app.deps.eventRuns.round()]);
      expect(await listed(ana)).toMatchObject({ state: 'waiting', registered: true });
      expect(services.github.hooks.size).toBe(before + 1);
    });

    it('end with the no, and with the time of the question', async () => {
      const denied = await asked('github');
      await denied.decide('deny');
      await expect
        .poll(() => listed(denied.ana))
        .toMatchObject({
          state: 'ended',
          problem: expect.stringMatching(/said no/),
        });
      const late = await asked('gitlab');
      await app.deps.eventRuns.round();
      expect(await listed(late.ana)).toMatchObject({ state: 'asked' });
      const { approvals } = app.deps.store;
      const question = await approvals.get(late.ana.id, late.made.subscription.approval);
      if (question === null) throw new Error('nobody was asked');
      expect(await approvals.move(question, { state: 'expired', ended_at: app.clock.now() })).toBe(true);
      await app.deps.eventRuns.round();
      expect(await listed(late.ana)).toMatchObject({
        state: 'ended',
        problem: expect.stringMatching(/nobody said yes/),
      });
    });
  });
});

it('are in docs/events.md as they came out', () => {
  const path = join(import.meta.dirname, '../../docs/events.md');
  const text = readFileSync(path, 'utf8');
  const names = new Map(app.deps.registry.integrations.map((each) => [each.name, each.displayName]));
  const shown: Record<string, string> = {
    'webhook standard': 'Standard Webhooks',
    'webhook header': 'a secret in a header',
  };
  const rows = HOOK_PROVIDERS.map(({ integration, event }) => {
    const cells = table.get(`${integration} ${event}`);
    const name = shown[`${integration} ${event}`] ?? names.get(integration);
    const { right, wrong, old, again, registered = 'by hand', removed = 'by hand' } = cells ?? {};
    return `| ${[name, right, wrong, old, again, registered, removed].join(' | ')} |`;
  });
  const head =
    '| Service | Right | Wrong secret | Old | Sent again | Made by the gateway | Removed by it |\n|---|---|---|---|---|---|---|';
  const written = `${head}\n${rows.join('\n')}\n`;
  const now = text.replace(/^\| Service \|.*\n(?:\|.*\n)+/m, () => written);
  if (process.env['WRITE_EVENTS'] === '1') writeFileSync(path, now);
  expect(now).toBe(process.env['WRITE_EVENTS'] === '1' ? now : text);
});
