// Tests npm run catalog: what scripts and people read about the tools.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { registry } from '../../adapters/node/listed-tools.ts';
import { drawMarks } from '../../adapters/node/marks.ts';
import { describeSetup } from '../../adapters/node/setup.ts';
import { integrations } from '../../integrations/all.ts';
import { createRegistry } from '../../src/kit/registry.ts';
import { ROOT, runProgram } from '../support/gateway-process.ts';

it('prints one JSON array of every tool and nothing else', () => {
  const output = execFileSync('npm', ['run', '--silent', 'catalog', '--', '--json'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const tools: Record<string, unknown>[] = JSON.parse(output);
  expect(tools.map(({ name }) => name)).toEqual(registry.tools.map(({ tool }) => tool.name));
  for (const tool of tools)
    expect(Object.keys(tool), String(tool['name'])).toEqual(
      expect.arrayContaining(['integration', 'name', 'description', 'access', 'schema']),
    );
  expect(tools.find(({ name }) => name === 'sentry_get_issue')).toMatchObject({
    method: 'GET',
    path: '/api/0/organizations/{organizationSlug}/issues/{issueId}/',
  });
});

it('keeps portal/marks.svg up to date with the logos', () => {
  const marks = readFileSync(join(ROOT, 'portal/marks.svg'), 'utf8');
  expect(marks).toBe(drawMarks(registry.integrations));
  for (const { name } of registry.integrations) expect(marks).toContain(`<view id="${name}"`);
  // A service that people add has letters, and a name without a mark must not show the mark of another.
  expect(drawMarks([{ name: 'none', logo: null }])).not.toContain('<view');
});

it('keeps docs/tools.md up to date with the tools', () => {
  const page = readFileSync(join(ROOT, 'docs/tools.md'), 'utf8');
  const named = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  const expected = registry.integrations.flatMap((integration) =>
    registry.toolsOf(integration).map(({ name }) => name),
  );
  expect(named, 'run npm run catalog').toEqual(expected);
  expect(named).toEqual(expect.arrayContaining(['script_run', 'events_read', 'deploy_jot', 'get_file']));
  for (const { name, auth } of integrations) {
    if (auth.type !== 'oauth2') continue;
    const client = page.split('\n').find((line) => line.includes(`\`${name.toUpperCase()}_CLIENT_ID\``));
    expect(
      [...(client ?? '').matchAll(/`(\S+)`/g)].slice(1).map(([, scope]) => scope),
      name,
    ).toEqual(auth.scopes);
  }
});

describe('npm run catalog -- --setup', () => {
  const setup = async (name: string, env: Record<string, string> = {}) => {
    const command = ['node', 'adapters/node/launch.mjs', 'adapters/node/catalog.ts', '--setup', name];
    const { exited, output } = runProgram(command, env);
    return { ...(await exited), ...output };
  };

  it('prints the page of the provider, the redirect address, the scopes and the variables', async () => {
    const { code, stdout } = await setup('github', { SERVER_PUBLIC_URL: 'https://gate.example.com/' });
    expect(code).toBe(0);
    for (const fact of [
      'https://github.com/settings/applications/new',
      'https://gate.example.com/api/auth/plugin/github/callback',
      'repo read:org workflow gist',
      'GITHUB_CLIENT_ID=',
      'GITHUB_CLIENT_SECRET=',
      'GITHUB_INSTANCES=',
    ])
      expect(stdout).toContain(fact);
  });

  it('says the token way of every integration that has one', () => {
    for (const integration of integrations) {
      const { name, token } = integration;
      if (token === undefined) continue;
      expect(describeSetup(registry, name, {}), name).toContain(token.help);
    }
    const github = integrations.find(({ name }) => name === 'github');
    if (github === undefined) throw new Error('github is there');
    const token = {
      fields: [],
      credential: { in: 'bearer' as const },
      url: '{instance}/t',
      help: 'Tick it.',
    };
    const text = describeSetup(createRegistry([{ ...github, token }]), 'github', { PORT: '4000' });
    expect(text).toContain('https://github.com/t');
    expect(text).toContain('Tick it.');
    expect(text).toContain('http://localhost:4000/api/auth/plugin/github/callback');
  });

  it('names what an integration without OAuth needs', async () => {
    expect(await setup('sentry')).toMatchObject({ code: 0, stdout: expect.stringContaining('API key') });
    expect(describeSetup(registry, 'jenkins', {})).toContain('live view');
    expect(describeSetup(registry, 'time', {})).toContain('built in');
  });

  it('answers an unknown name with the nearest names, and changes nothing', async () => {
    const before = readFileSync(join(ROOT, 'docs/tools.md'), 'utf8');
    const { code, stdout, stderr } = await setup('githb');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^There is no integration "githb"\. The nearest names are github, /);
    expect(readFileSync(join(ROOT, 'docs/tools.md'), 'utf8')).toBe(before);
  });
});

it.each(['README.md', 'docs/edge.md', 'docs/sizing.md'])('finds the number of integrations in %s', (file) => {
  const [, number] = / (\d+) integrations/.exec(readFileSync(join(ROOT, file), 'utf8')) ?? [];
  expect(Number(number), `the number of integrations in ${file}`).toBe(registry.integrations.length);
});
