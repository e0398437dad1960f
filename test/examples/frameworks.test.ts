// Runs the examples for LangChain and the Vercel AI SDK. Only the model is a stand-in: it follows a script.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWith } from '../support/describe-with.ts';
import { example, EXAMPLES, type ExampleStand, ISSUE, openExampleStand } from '../support/example-stand.ts';
import { NINE } from '../support/mcp.ts';
import { type Script, startScriptedModel } from '../support/scripted-model.ts';

const TASK = 'Which issues are open in Redmine?';
const execution = { executions: [{ tool: 'redmine_list_issues', args: {} }] };

/** What a model does with a service that is not connected yet. Each step needs the result of the one before. */
const SCRIPT: Script = [
  ({ tools, system, last }) => {
    expect(system).toContain('search_tools');
    expect(tools.toSorted()).toEqual(NINE.toSorted());
    expect(last).toBe(TASK);
    return { call: 'search_tools', args: { query: 'list the issues of Redmine', limit: 3 } };
  },
  ({ last }) => {
    expect(JSON.parse(last).tools[0]).toMatchObject({ name: 'redmine_list_issues', connected: false });
    return { call: 'execute_tools', args: execution };
  },
  ({ last }) => {
    expect(last).toContain('NOT_CONNECTED');
    return { call: 'connect', args: { integration: 'redmine' } };
  },
  ({ last }) => {
    const { connectionId } = JSON.parse(last);
    return { call: 'wait_for_connection', args: { connectionId } };
  },
  ({ last }) => {
    expect(JSON.parse(last)).toEqual({ status: 'CONNECTED' });
    return { call: 'execute_tools', args: execution };
  },
  ({ last }) => {
    const [{ result }] = JSON.parse(last).results;
    return { say: `One issue is open: ${result.issues[0].subject}` };
  },
];

const missing = existsSync(join(EXAMPLES, 'node_modules')) ? undefined : 'npm run examples was not run';

describeWith('the examples of frameworks', missing, () => {
  let stand: ExampleStand;
  beforeAll(async () => {
    stand = await openExampleStand();
  });
  afterAll(() => stand?.close());

  it.each(['langchain', 'vercel-ai-sdk'])(
    '%s gives the model nine tools and their results, and waits for a connection',
    async (name) => {
      const model = await startScriptedModel(SCRIPT);
      try {
        const GATEWAY_KEY = await stand.makeKey(name);
        const program = stand.start(example(`${name}/agent.ts`, TASK), { GATEWAY_KEY, ...model.env });
        await program.says(`${stand.base}/integrations/redmine?connect=apikey`);
        await stand.connectRedmine();
        const exit = await program.exited;
        expect({ ...exit, stderr: program.output.stderr, ...model.state() }).toEqual({
          code: 0,
          signal: null,
          stderr: '',
          moves: SCRIPT.length,
          problem: null,
        });
        const [connect = '', ...rest] = program.output.stdout.split('\n');
        expect(JSON.parse(connect)).toMatchObject({ type: 'apikey', connectionId: expect.any(String) });
        expect(rest).toEqual([`One issue is open: ${ISSUE.subject}`, '']);
        await expect
          .poll(() => stand.auditOf(name))
          .toMatchObject([
            { tool: 'redmine_list_issues', success: false, error: 'NOT_CONNECTED' },
            { tool: 'redmine_list_issues', success: true, outcome: 'ok' },
          ]);
      } finally {
        await model.close();
        await stand.disconnectRedmine();
      }
    },
  );

  it.each(['langchain', 'vercel-ai-sdk'])('%s says which variables are missing', async (name) => {
    const { code, stdout, stderr } = await stand.run(example(`${name}/agent.ts`));
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr.match(/^\w+(?= is missing: )/gm)).toEqual([
      'GATEWAY_KEY',
      'OPENAI_API_KEY',
      'OPENAI_MODEL',
    ]);
  });
});
