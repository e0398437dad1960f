// Tests the audit rows about approvals: who asked, who decided, and what ended. reference: Audit; Approvals; decision: 036
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { askToShout, makeKey, run, send, setRules } from '../support/policy.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let ana: TestUser;
beforeEach(async () => {
  app = await createTestApp();
  ana = await app.user();
  await setRules(app, ana, [{ tool: 'shout', decision: 'ask' }]);
});
afterEach(() => app.close());

/** The person's rows, the oldest first. */
async function audited() {
  await app.deps.audit.flush();
  return (await app.deps.store.audit.list({ user_id: ana.id, limit: 100 })).toReversed();
}

async function decide(id: string, decision: object) {
  const answer = await send(app, ana.sessionHeader, 'POST', `/api/approvals/${id}`, decision);
  expect(answer.status).toBe(200);
}

describe('the audit rows of an approved call', () => {
  it('are the question, the decision and the call, and name the approval', async () => {
    const { id: keyId, header } = await makeKey(app, ana, { name: 'Writer' });
    const approval = await askToShout(app, header, 'a');
    await decide(approval, { decision: 'approve' });
    await run(app, header, 'shout', { text: 'a' });
    const common = { integration: 'echo', tool: 'shout', access: 'read', approval };
    const agent = { ...common, action: 'EXECUTE', actor: `key:${keyId}`, client_name: 'Writer' };
    const rows = await audited();
    expect(rows).toMatchObject([
      { ...agent, outcome: 'asked', success: false },
      {
        ...common,
        action: 'DECIDE',
        actor: 'session',
        client_name: null,
        outcome: 'approved',
        success: true,
      },
      { ...agent, outcome: 'ok', success: true },
    ]);
    expect(new Set(rows.map(({ request_id }) => request_id)).size).toBe(3);
  });

  it('have one decision, however many people decide at once', async () => {
    const approval = await askToShout(app, ana.keyHeader, 'a');
    await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        send(app, ana.sessionHeader, 'POST', `/api/approvals/${approval}`, {
          decision: at % 2 === 0 ? 'approve' : 'deny',
        }),
      ),
    );
    expect((await audited()).filter(({ action }) => action === 'DECIDE')).toHaveLength(1);
  });

  it('say why a person said no, and that the call was denied', async () => {
    const approval = await askToShout(app, ana.keyHeader, 'a');
    await decide(approval, { decision: 'deny', reason: 'Not before Monday' });
    await run(app, ana.keyHeader, 'shout', { text: 'a' });
    expect((await audited()).slice(1)).toMatchObject([
      { action: 'DECIDE', outcome: 'denied', error: 'The person said no: Not before Monday', approval },
      { action: 'EXECUTE', outcome: 'denied', error: 'DENIED', approval },
    ]);
  });

  it('include decisions about many calls at once', async () => {
    const ids = [await askToShout(app, ana.keyHeader, 'a'), await askToShout(app, ana.keyHeader, 'b')];
    await send(app, ana.sessionHeader, 'POST', '/api/approvals', { ids, decision: 'approve', for: 'hour' });
    const decisions = (await audited()).filter(({ action }) => action === 'DECIDE');
    expect(decisions).toHaveLength(ids.length);
    expect(new Set(decisions.map(({ approval }) => approval))).toEqual(new Set(ids));
  });
});

describe('an approval that ends', () => {
  const ended = async () => (await audited()).filter(({ outcome }) => outcome === 'expired');

  it('has one row when nobody answered, and one when its yes is over', async () => {
    const asked = await askToShout(app, ana.keyHeader, 'a');
    const approved = await askToShout(app, ana.keyHeader, 'b');
    await decide(approved, { decision: 'approve', for: 'hour' });
    app.clock.advance(3_600);
    await Promise.all([1, 2, 3].map(() => app.deps.settleApprovals.portion()));
    const rows = (await ended()).map(({ approval, error }) => [approval, error]);
    expect(rows).toHaveLength(2);
    expect(rows).toContainEqual([asked, 'Nobody answered in time whether this may run']);
    expect(rows).toContainEqual([approved, 'The approval expired before the call was sent again']);
  });

  it.each([
    [
      'new rules',
      () =>
        setRules(app, ana, [
          { tool: 'shout', decision: 'ask' },
          { access: 'destroy', decision: 'block' },
        ]),
    ],
    ['a new sign-in', () => app.deps.store.approvals.end(ana.id, 'echo')],
  ])('by %s has one row, and cannot be decided any more', async (_what, change) => {
    const asked = await askToShout(app, ana.keyHeader, 'a');
    await change();
    const late = await send(app, ana.sessionHeader, 'POST', `/api/approvals/${asked}`, {
      decision: 'approve',
    });
    expect(late.status).toBe(409);
    await Promise.all([1, 2, 3].map(() => app.deps.settleApprovals.portion()));
    expect(await ended()).toMatchObject([
      { approval: asked, actor: 'key', action: 'EXECUTE', error: expect.stringContaining('have changed') },
    ]);
    const shown = await send(app, ana.sessionHeader, 'GET', `/api/approvals/${asked}`);
    expect(shown.body).toMatchObject({
      state: 'expired',
      expiresAt: app.clock.now(),
      endedAt: app.clock.now(),
    });
  });

  it('by a deleted key has a row with the name of the key', async () => {
    const { id, header } = await makeKey(app, ana, { name: 'Writer' });
    const asked = await askToShout(app, header, 'a');
    await app.deps.agentKeys.remove(ana.id, id);
    await app.deps.settleApprovals.ofPerson(ana.id);
    expect(await ended()).toMatchObject([{ approval: asked, actor: `key:${id}`, client_name: 'Writer' }]);
  });
});
