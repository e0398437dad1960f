// Runs the unmodified MCP Inspector on the command line, in every era it knows, against the real process.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Banner, type Gateway, openSite, runProgram, type Site } from '../support/gateway-process.ts';

const PACKAGE = fileURLToPath(import.meta.resolve('@modelcontextprotocol/inspector/package.json'));
const INSPECTOR = join(dirname(PACKAGE), 'clients/launcher/build/index.js');

let site: Site;
let gateway: Gateway & Banner;
beforeAll(async () => {
  site = await openSite();
  gateway = await site.start();
});
afterAll(() => site.close());

/** Returns what one run prints: its result, or the error that ended it. */
async function inspect(...args: string[]) {
  const command = [
    process.execPath,
    INSPECTOR,
    '--cli',
    '--server-url',
    `${gateway.base}/mcp`,
    '--transport',
    'http',
  ];
  // The Inspector stores its catalogue and tokens in the home folder.
  const { exited, output } = runProgram([...command, '--format', 'json', ...args], { HOME: site.dataDir });
  const { code } = await exited;
  return { code, ...JSON.parse(code === 0 ? output.stdout : output.stderr), stderr: output.stderr };
}

const byKey = () => ['--header', `x-service-api-key: ${gateway.apiKey}`];
const bySession = () => ['--header', `Authorization: Bearer ${gateway.session}`];

describe.each(['legacy', 'auto', 'modern'])('MCP Inspector, %s', (era) => {
  it('lists nine tools whose schemas every client can read', async () => {
    const { code, result, stderr } = await inspect(
      '--protocol-era',
      era,
      ...byKey(),
      '--method',
      'tools/list',
      '--strict',
    );
    expect(code).toBe(0);
    expect(result.tools).toHaveLength(9);
    expect(stderr).not.toMatch(/^Error/m);
  });

  it('runs a tool', async () => {
    const executions = JSON.stringify({ executions: [{ tool: 'time_now', args: {} }] });
    const call = ['--method', 'tools/call', '--tool-name', 'execute_tools', '--tool-args-json', executions];
    const { code, result } = await inspect('--protocol-era', era, ...bySession(), ...call);
    expect(code).toBe(0);
    expect(JSON.parse(result.content[0].text)).toMatchObject({ results: [{ result: { timeZone: 'UTC' } }] });
  });

  it('asks for a sign-in when there is no credential', async () => {
    const { error } = await inspect('--protocol-era', era, '--stored-auth-only', '--method', 'tools/list');
    expect(error).toMatchObject({ code: 'auth_required' });
  });
});
