// Runs the agents with the official SDKs as a reader starts them, and connects the service that they ask for.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWith } from '../support/describe-with.ts';
import { example, EXAMPLES, type ExampleStand, ISSUE, openExampleStand } from '../support/example-stand.ts';

const PYTHON = join(EXAMPLES, 'python-sdk/.venv/bin/python');
/** Why the Python SDK could not be installed: the registry of Python cannot be reached from everywhere. */
const WITHOUT_PYTHON = process.env['WITHOUT_PYTHON'];
const SDKS = [
  {
    name: 'TypeScript SDK v2',
    command: example('typescript-sdk/with-v2.ts'),
    needs: 'node_modules',
    install: 'npm run examples',
  },
  {
    name: 'TypeScript SDK v1',
    command: example('typescript-sdk/with-v1.ts'),
    needs: 'node_modules',
    install: 'npm run examples',
  },
  {
    name: 'Python SDK',
    command: [PYTHON, 'examples/python-sdk/agent.py'],
    needs: 'python-sdk/.venv',
    install: 'npm run examples:python',
  },
];

let stand: ExampleStand;
beforeAll(async () => {
  stand = await openExampleStand();
});
afterAll(() => stand?.close());

if (WITHOUT_PYTHON !== undefined)
  process.stderr.write(`SKIPPED the example of the Python SDK: ${WITHOUT_PYTHON}\n`);
const started = WITHOUT_PYTHON === undefined ? SDKS : SDKS.filter(({ name }) => name !== 'Python SDK');

for (const { name, command, needs, install } of started) {
  const missing = existsSync(join(EXAMPLES, needs)) ? undefined : `${needs} is missing; ${install}`;

  describeWith(`the example of the ${name}`, missing, () => {
    it('finds a built-in tool and runs it', async () => {
      const GATEWAY_KEY = await stand.makeKey(`${name}, built-in`);
      const { code, stdout, stderr } = await stand.run(command, { GATEWAY_KEY });
      expect([code, stderr]).toEqual([0, '']);
      const [found, args, ...result] = stdout.split('\n');
      expect(found).toBe('Found time_now: Get the current date and time in a time zone');
      expect(args).toBe('Arguments: timeZone');
      expect(JSON.parse(result.join('\n'))).toMatchObject({ timeZone: 'Europe/Berlin' });
      await expect
        .poll(() => stand.auditOf(`${name}, built-in`))
        .toMatchObject([{ tool: 'time_now', success: true }]);
    });

    it('shows a link when the service is not connected, waits, and goes on', async () => {
      const GATEWAY_KEY = await stand.makeKey(name);
      const task = ['list the issues of a Redmine project', '{"projectId": "web"}'];
      const program = stand.start([...command, ...task], { GATEWAY_KEY });
      const link = `${stand.base}/integrations/redmine?connect=apikey`;
      await program.says(`Open ${link} and connect redmine\n`);
      await stand.connectRedmine();
      expect({ ...(await program.exited), stderr: program.output.stderr }).toMatchObject({
        code: 0,
        stderr: '',
      });
      const [, after = ''] = program.output.stdout.split('Connection: CONNECTED\n');
      expect(JSON.parse(after)).toEqual({ issues: [ISSUE], total_count: 1 });
      await expect
        .poll(() => stand.auditOf(name))
        .toMatchObject([
          { tool: 'redmine_list_issues', error: 'NOT_CONNECTED' },
          { tool: 'redmine_list_issues', outcome: 'ok' },
        ]);
      await stand.disconnectRedmine();
    });

    it('ends with the sentence of the gateway when a tool fails', async () => {
      const GATEWAY_KEY = await stand.makeKey(`${name}, failing`);
      const task = ['current time in a time zone', '{"timeZone": "Nowhere"}'];
      const { code, stderr } = await stand.run([...command, ...task], { GATEWAY_KEY });
      expect(code).toBe(1);
      expect(stderr).toBe('timeZone: must be an IANA time zone such as Europe/Berlin, or UTC\n');
    });

    it('says which variable is missing', async () => {
      const { code, stdout, stderr } = await stand.run(command);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^GATEWAY_KEY is missing: .*portal/);
    });
  });
}
