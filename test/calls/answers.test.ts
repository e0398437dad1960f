// Tests that a call that succeeds is answered in the order of members that clients have always seen, through each door.
import { afterEach, expect, it } from 'vitest';
import { type Call, type CallStage, type Door, openCallStage } from '../support/call-doors.ts';

let stage: CallStage;
afterEach(() => stage.close());

const NAMES = '"integration":"vaulted","tool":"vaulted_request"';
const CASES: [door: Door, what: string, call: Call, text: string][] = [
  ['execute_tools', 'a call', {}, '{"result":{"ok":true}}'],
  ['REST', 'a call', {}, `{${NAMES},"result":{"ok":true}}`],
  ['REST', 'a selection', { select: 'ok' }, `{"result":true,${NAMES}}`],
  ['REST batch', 'a call', {}, '{"result":{"ok":true}}'],
  ['/c', 'a request', {}, '{"ok":true}'],
];

it.each(CASES)('%s answers %s with its result', async (door, _what, call, text) => {
  stage = await openCallStage();
  stage.answer((_, outgoing) =>
    outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}'),
  );
  const { status, body } = await stage.send(door, call);
  expect([status, JSON.stringify(body)]).toEqual([200, text]);
  expect(await stage.rows()).toMatchObject([{ success: true, error: null, outcome: 'ok', status: 200 }]);
  expect(await stage.counts()).toEqual({ person: 1, key: 1, executions: door === '/c' ? 0 : 1 });
});
