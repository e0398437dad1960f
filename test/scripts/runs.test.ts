// Tests what a script can do, and what each of its calls is. reference: Scripts
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeKey, send } from '../support/policy.ts';
import { openScripts, type ScriptStand } from '../support/script-stand.ts';

let stand: ScriptStand;
beforeAll(async () => {
  stand = await openScripts();
});
afterAll(() => stand.close());

describe('a script', () => {
  it('calls tools by either name, and returns what its code returns with its log beside it', async () => {
    const ran = await stand.script(
      `const one = await tools.memo_get({ text: input.text });
       const two = await tools['memo'].get({ text: 'b' });
       console.log('read', two.text);
       return { both: one.text + two.text, picked: select([{ a: 1 }, { a: 2 }], '[].a') };`,
      { input: { text: 'a' } },
    );
    expect(ran).toMatchObject({ result: { both: 'ab', picked: [1, 2] }, script: { log: expect.stringContaining('read b') } });
  });
});
