// Runs the example that gives the functions of a set to a model. Only the model is a stand-in: it follows a script.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { example, type ExampleStand, ISSUE, openExampleStand } from '../support/example-stand.ts';
import { type Script, startScriptedModel } from '../support/scripted-model.ts';

const TASK = 'Which issues are open in Redmine?';
const SCRIPT: Script = [
  ({ tools, last }) => {
    expect([tools, last]).toEqual([['redmine_list_issues', 'time_now'], TASK]);
    return { call: 'redmine_list_issues', args: { limit: 'many' } };
  },
  ({ last }) => {
    expect(last).toContain('Invalid arguments');
    return { call: 'redmine_list_issues', args: {} };
  },
  ({ last }) => ({ say: `One issue is open: ${JSON.parse(last).result.issues[0].subject}` }),
];

let stand: ExampleStand;
beforeAll(async () => {
  stand = await openExampleStand();
  await stand.connectRedmine();
});
afterAll(() => stand?.close());

describe('the example of functions', () => {
  it('gives the model the tools of the set, and runs what it calls', async () => {
    const tools = ['redmine_list_issues', 'time_now'];
    expect(await stand.api('POST', '/api/sets', { name: 'triage', tools })).toMatchObject({ status: 201 });
    const GATEWAY_KEY = await stand.makeKey('functions', { set: 'triage' });
    const model = await startScriptedModel(SCRIPT);
    try {
      const command = [...example('functions/agent.ts', 'triage'), TASK];
      const { code, stdout, stderr } = await stand.run(command, { GATEWAY_KEY, ...model.env });
      expect([code, stderr, model.state()]).toEqual([0, '', { moves: SCRIPT.length, problem: null }]);
      expect(stdout).toBe(`One issue is open: ${ISSUE.subject}\n`);
    } finally {
      await model.close();
    }
  });

  it('says which variables are missing', async () => {
    const { code, stderr } = await stand.run(example('functions/agent.ts'));
    expect([code, stderr]).toEqual([2, expect.stringContaining('GATEWAY_KEY is missing')]);
  });
});
