// Tests what becomes of a run that waits while something changes: a tool, the rules, the script, or the key of the gateway.
// reference: Scripts; decision: 059
import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { createSystemRandom } from '../../drivers/system/random.ts';
import { createSeal } from '../../src/crypto/seal.ts';
import { FEATURES } from '../../src/features.ts';
import { rotateKeys } from '../../src/maintenance/rotate-keys.ts';
import { startChangingServer, tool } from '../support/changing-server.ts';
import { createImportUser } from '../support/import-user.ts';
import { send } from '../support/policy.ts';
import { openScripts, type ScriptStand } from '../support/script-stand.ts';

let stand: ScriptStand;
afterEach(() => stand.close());

const ASK_DELETIONS = [{ access: 'destroy', decision: 'ask' }];
const CODE = `await tools.memo_add({ text: 'before' }); await tools.memo_remove({ text: 'x' }); return 'end';`;

describe('an imported tool that changes while a run waits', () => {
  const code = `await tools.acme_pay({ id: '1' }); await tools.memo_remove({ text: 'x' }); await tools.acme_pay({ id: '2' }); return 'end';`;

  it.each([
    ['not at all', {}, true],
    ['in its description', { description: 'Pays the double' }, false],
    ['in its arguments', { inputSchema: { type: 'object', properties: { id: {}, to: {} } } }, false],
  ] as const)('%s', async (_name, more, isSame) => {
    const server = await startChangingServer([tool('pay')]);
    stand = await openScripts();
    const ana = createImportUser(stand.app, stand.user);
    await ana.add({ address: server.address });
    await stand.rules(ASK_DELETIONS);
    const asked = await stand.script(code);
    expect(asked.error).toBe('APPROVAL_REQUIRED');
    server.tools = [tool('pay', structuredClone(more))];
    await ana.send('POST', '/api/imports/acme/check');
    await ana.send('POST', '/api/imports/acme/accept', { all: true });
    await stand.decide(asked.approval?.id ?? '', 'approve');
    const ran = await stand.script(code);
    if (isSame) expect(ran).toMatchObject({ result: 'end' });
    else expect(ran.error).toMatch(/^The tool acme_pay changed since this run began, so it does not go on\./);
    expect(server.calls.map(({ args }) => args)).toEqual(isSame ? [{ id: '1' }, { id: '2' }] : [{ id: '1' }]);
    expect(stand.notes.written).toEqual(isSame ? ['-x'] : []);
    await stand.app.deps.mcp.close();
    await server.close();
  });
});

describe('a run that does not go on', () => {
  it('has ended, so the same call begins a new one', async () => {
    stand = await openScripts();
    await stand.rules(ASK_DELETIONS);
    const asked = await stand.script(CODE);
    await stand.rules([]);
    const refused = await stand.script(CODE);
    expect(refused).toMatchObject({
      error: expect.stringContaining('The rules or the limits of this key changed'),
      script: asked.script,
    });
    const run = asked.script?.run ?? '';
    expect(await stand.resume(run)).toEqual(refused);
    const shown = await send(stand.app, stand.user.sessionHeader, 'GET', `/api/script-runs/${run}`);
    expect(shown.body).toMatchObject({ state: 'failed', error: refused.error, calls: 1 });
    expect(stand.notes.written).toEqual(['before']);
    const anew = await stand.script(CODE);
    expect(anew).toMatchObject({ result: 'end' });
    expect(anew.script?.run).not.toBe(run);
    expect(stand.notes.written).toEqual(['before', 'before', '-x']);
  });
});

describe('the key of the gateway, while a run waits', () => {
  it('may be rotated: the run goes on under the next one, and repeats nothing', async () => {
    const [old, next] = [0, 1].map(() => randomBytes(32).toString('hex')) as [string, string];
    stand = await openScripts({ env: { ENCRYPTION_KEY: old } });
    await stand.rules(ASK_DELETIONS);
    const asked = await stand.script(CODE);
    await stand.decide(asked.approval?.id ?? '', 'approve');
    const { store } = stand.app.deps;
    const random = createSystemRandom();
    const seal = await createSeal([next, old], random);
    const { unreadable } = await rotateKeys(
      { features: FEATURES, store, seal, random, clock: stand.clock },
      () => {},
    );
    expect(unreadable).toEqual([]);
    const after = await stand.other(store, { ENCRYPTION_KEY: next });
    expect(await stand.script(CODE, {}, stand.key, after)).toMatchObject({
      result: 'end',
      script: asked.script,
    });
    expect(stand.notes.written).toEqual(['before', '-x']);
  });

  it('may be lost: the run is refused with a sentence, and the same call begins a new one', async () => {
    stand = await openScripts();
    await stand.rules(ASK_DELETIONS);
    await stand.script(CODE);
    const after = await stand.other(stand.app.deps.store, {
      ENCRYPTION_KEY: randomBytes(32).toString('hex'),
    });
    const refused = await stand.script(CODE, {}, stand.key, after);
    expect(refused.error).toBe('The run cannot be read any more. Run the script again');
    expect(stand.notes.written).toEqual(['before']);
    expect((await stand.script(CODE, {}, stand.key, after)).error).toBe('APPROVAL_REQUIRED');
    expect(stand.notes.written).toEqual(['before', 'before']);
  });
});
