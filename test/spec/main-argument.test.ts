// Tests which argument tells a person what a call is about. reference: Audit
import { expect, it } from 'vitest';
import { mainArgument } from '../../src/kit/main-argument.ts';

it.each([
  [{ owner: 'acme', repo: 'web', title: 'Dark mode flickers', body: 'Long' }, 'Dark mode flickers'],
  [{ id: 'o18' }, 'o18'],
  [{ project_id: 3, issue_iid: 7 }, '7'],
  [{ projectId: 'P', taskId: 'T' }, 'T'],
  [{ owner: 'acme', repo: 'web', branch: 'old' }, 'old'],
  [{ channel: '#releases', text: 'Out now' }, '#releases'],
  [{ limit: 5, query: 'error logs' }, 'error logs'],
  [{ anything: 'alone' }, 'alone'],
  [{ one: 'a', other: 'b' }, null],
  [{ api_key: 'sk-1', accessKey: 'x', token_id: 'secret' }, null],
  [{ id: { nested: true }, deep: ['x'] }, null],
  [{ title: 'a\u202eb\nc' }, 'a b c'],
  [{ title: 'x'.repeat(500) }, `${'x'.repeat(79)}…`],
  [{}, null],
  [null, null],
  [['a'], null],
])('of %j is %j', (args, main) => {
  expect(mainArgument(args)).toBe(main);
});
