// Tests who may read a stored result: the caller that was given it, while its tools are allowed. reference: Reading long results
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { smallWorld } from '../support/fixtures.ts';
import { call, callText } from '../support/mcp.ts';
import { type Headers, makeKey, setRules, tokenHeader } from '../support/policy.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let ana: TestUser;
beforeEach(async () => {
  app = await createTestApp({ ports: { integrations: smallWorld } });
  ana = await app.user();
});
afterEach(() => app.close());

const LONG = { tool: 'echo_text', args: { length: 70_000 } };

/** Runs a batch whose answer is cut, and returns the handle of the whole result. */
async function cut(headers: Headers, ...executions: object[]): Promise<string> {
  const text = await callText(app, headers, 'execute_tools', { executions });
  const handle = /read_result \{"handle":"([^"]+)"\}/.exec(text)?.[1];
  if (handle === undefined) throw new Error(`not cut: ${text.slice(-200)}`);
  return handle;
}

const read = (headers: Headers, handle: string) =>
  call(app, headers, 'read_result', { handle, path: '/results/0/result', limit: 3 });

const UNKNOWN = { error: 'Unknown handle', message: expect.stringContaining('one hour') };
const READ = { value: expect.any(String), total: 70_000 };

describe('a stored result', () => {
  it('is read by the caller that was given it, and by no other caller of the same person', async () => {
    const reader = (await makeKey(app, ana, { access: 'read', integrations: ['time'] })).header;
    const twin = (await makeKey(app, ana)).header;
    const callers = [ana.keyHeader, twin, tokenHeader(app, ana, 'one'), tokenHeader(app, ana, 'other')];
    for (const given of callers) {
      const handle = await cut(given, LONG);
      expect(await read(given, handle)).toMatchObject(READ);
      for (const other of [reader, ...callers])
        if (other !== given) expect(await read(other, handle)).toEqual(UNKNOWN);
    }
  });

  it.each([{ integration: 'echo' }, { tool: 'echo_text' }, { access: 'read' }])(
    'is not read after a rule has blocked its tool: %j',
    async (matched) => {
      const handle = await cut(ana.keyHeader, LONG);
      await setRules(app, ana, [{ ...matched, decision: 'block' }]);
      expect(await read(ana.keyHeader, handle)).toEqual(UNKNOWN);
      await setRules(app, ana, []);
      expect(await read(ana.keyHeader, handle)).toMatchObject(READ);
    },
  );

  it('is read while its tool is asked about, and beside a tool that was blocked from the beginning', async () => {
    await setRules(app, ana, [{ tool: 'shout', decision: 'block' }]);
    const handle = await cut(
      ana.keyHeader,
      LONG,
      { tool: 'shout', args: { text: 'a' } },
      { tool: 'nothing' },
    );
    expect(await read(ana.keyHeader, handle)).toMatchObject(READ);
    await setRules(app, ana, [{ integration: 'echo', decision: 'ask' }]);
    expect(await read(ana.keyHeader, handle)).toMatchObject(READ);
  });
});
