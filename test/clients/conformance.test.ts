// Runs the protocol's conformance suite against the real process, in every version that the gateway speaks: the frozen
// sets of the versions that have one, and what the suite knows of the skills extension. docs/clients.md has the tables.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, runProgram, type Site } from '../support/gateway-process.ts';
import { type HeaderProxy, startHeaderProxy } from '../support/with-header-proxy.ts';

const SUITE = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'));

const LISTS = ['tools-list', 'resources-list', 'prompts-list'];
const HANDSHAKE = ['server-initialize', 'ping', ...LISTS];

/** Versions with a set that the suite froze at their release. Of others all scenarios that apply are run. */
const FROZEN = new Set(['2025-11-25', '2026-07-28']);

const PASSED: Record<string, readonly string[]> = {
  '2025-06-18': HANDSHAKE,
  '2025-11-25': [...HANDSHAKE, 'dns-rebinding-protection'],
  '2026-07-28': [
    ...LISTS,
    'server-stateless',
    'server-sse-multiple-streams',
    'caching',
    'dns-rebinding-protection',
    'http-header-validation',
    'sep-2164-resource-not-found',
    'input-required-result-unsupported-methods',
  ],
};

const SKILLS = ['sep-2640-skills-enumeration', 'sep-2640-skills-manifest'];

/** Scenarios that a server with nine fixed tools cannot pass, or passes without doing anything. */
const LEFT_OUT: readonly [reason: string, RegExp][] = [
  [
    'calls tools of the suite’s own server',
    /^(tools-call|tasks|elicitation|input-required-result|http-custom-header)-|^json-schema/,
  ],
  [
    'reads prompts and resources of the suite’s own server',
    /^(resources|prompts)-(read|templates|(un)?subscribe|get)/,
  ],
  [
    'is about a feature that the gateway does not declare: completion, logging',
    /^(completion-complete|logging-set-level)$/,
  ],
  [
    'is about sessions and streams of the older era, and the gateway has none',
    /^server-(session-lifecycle|sse-polling|sse-multiple-streams)$/,
  ],
];

/** Single checks that need tools of the suite's own server; the suite calls them "Not testable". */
const NOT_TESTABLE: Record<string, readonly string[]> = {
  'server-stateless': [
    'sep-2575-server-rejects-undeclared-capability',
    'sep-2575-missing-capability-http-400',
    'sep-2575-http-server-no-independent-requests-on-stream',
    'sep-2575-server-no-log-without-loglevel',
  ],
};

interface Check {
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  errorMessage?: string;
}

let site: Site;
let proxy: HeaderProxy;
let folder: string;
beforeAll(async () => {
  site = await openSite();
  const { port, apiKey, request } = await site.start();
  const made = await request('/api/sets', {
    method: 'POST',
    headers: { 'x-service-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'work', tools: ['time_now', 'time_convert', 'hackernews_top_stories'] }),
  });
  expect(made.status).toBe(201);
  proxy = await startHeaderProxy(port, { 'x-service-api-key': apiKey });
  folder = await mkdtemp(join(tmpdir(), 'conformance-'));
});
afterAll(async () => {
  await proxy.close();
  await site.close();
  await rm(folder, { recursive: true, force: true });
});

const RUNS = Object.keys(PASSED).flatMap((version) =>
  ['/mcp', '/mcp/sets/work'].map((path) => ({ version, path })),
);

describe.each(RUNS)('conformance of $path to $version', ({ version, path }) => {
  const passed = PASSED[version] ?? [];
  let checks: Map<string, Check[]>;

  beforeAll(async () => {
    checks = await check(
      path,
      version,
      FROZEN.has(version) ? ['--requirements', version] : ['--suite', 'all', '--spec-version', version],
    );
  });

  it.each(passed)('passes %s', (scenario) => {
    const found = checks.get(scenario) ?? [];
    const failures = found.filter(({ status }) => status === 'FAILURE');
    const untestable = NOT_TESTABLE[scenario] ?? [];
    expect(failures.filter(({ id }) => !untestable.includes(id))).toEqual([]);
    expect(failures.map(({ id }) => id).toSorted()).toEqual(untestable.toSorted());
    expect(found.map(({ status }) => status)).toContain('SUCCESS');
  });

  it('leaves out only the scenarios that are listed here with a reason', () => {
    const others = [...checks.keys()].filter((scenario) => !passed.includes(scenario));
    expect(others.filter((scenario) => !LEFT_OUT.some(([, pattern]) => pattern.test(scenario)))).toEqual([]);
  });
});

describe('the skills extension', () => {
  it.each(SKILLS)('passes %s', async (scenario) => {
    const found = (await check('/mcp', scenario, ['--scenario', scenario])).get(scenario) ?? [];
    expect(found.filter(({ status }) => status === 'FAILURE')).toEqual([]);
    expect(found.map(({ status }) => status)).toContain('SUCCESS');
  });
});

describe('docs/clients.md', () => {
  let page: string;
  beforeAll(async () => {
    page = await readFile(join(import.meta.dirname, '../../docs/clients.md'), 'utf8');
  });

  it.each(Object.entries(PASSED))('lists what %s passes', (version, scenarios) => {
    expect(page).toContain(`| ${version} | ${scenarios.map((name) => `\`${name}\``).join(', ')} |`);
  });

  it.each(LEFT_OUT)('says that a scenario is left out because it %s', (reason, pattern) => {
    const row = page.split('\n').find((line) => line.startsWith(`| ${reason} |`)) ?? '';
    const names = [...row.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
    expect(names).not.toEqual([]);
    expect(names.filter((name) => !pattern.test(name.replace('*', 'x')))).toEqual([]);
  });
});

/** Runs the suite and returns the checks of each scenario. */
async function check(path: string, name: string, which: readonly string[]): Promise<Map<string, Check[]>> {
  const results = join(folder, `${name}${path.replaceAll('/', '-')}`);
  const args = ['server', '--url', `${proxy.origin}${path}`, ...which, '-o', results];
  await runProgram([process.execPath, SUITE, ...args], {}).exited;
  return readChecks(results);
}

async function readChecks(results: string): Promise<Map<string, Check[]>> {
  const checks = new Map<string, Check[]>();
  for (const name of await readdir(results)) {
    const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(name)?.[1] ?? name;
    checks.set(scenario, JSON.parse(await readFile(join(results, name, 'checks.json'), 'utf8')));
  }
  return checks;
}
