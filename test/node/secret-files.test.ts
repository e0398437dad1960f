// Tests secrets that lie in files, named by variables that end with _FILE. reference: Environment variables; decision: 009
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readNodeConfig } from '../../adapters/node/secret-files.ts';
import { ConfigError } from '../../src/config/config-error.ts';
import type { Env } from '../../src/config/config.ts';

const HEX = '0123456789abcdef'.repeat(4);
const PUBLIC = { SERVER_PUBLIC_URL: 'https://gate.example', SESSION_SECRET: HEX, ENCRYPTION_KEY: HEX };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-secret-files-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function write(name: string, text: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
}

const read = (env: Env) => readNodeConfig(env, () => 'made here');

function problemsOf(env: Env): string[] {
  try {
    read(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(({ name, message }) => `${name} ${message}`);
    throw error;
  }
  return [];
}

it('reads secrets of the gateway, of sign-in providers and of integrations', async () => {
  const config = read({
    SERVER_PUBLIC_URL: 'https://gate.example',
    SESSION_SECRET_FILE: await write('session', ` ${HEX} \n`),
    ENCRYPTION_KEY_FILE: ` ${await write('key', `${HEX}\r\n`)}`,
    HOSTED_CLIENT_SECRET_FILE: await write('hosted', 'of the provider'),
    GITHUB_CLIENT_ID: 'us',
    GITHUB_CLIENT_SECRET_FILE: await write('github', 'of GitHub\n'),
    DATABASE_URL_FILE: await write('database', 'postgres://gateway:secret@db.internal/gateway\n'),
    METRICS_TOKEN_FILE: '',
  });
  // The bytes of this one count, but for the line break at the end.
  expect(config.SESSION_SECRET).toBe(` ${HEX} `);
  expect(config.ENCRYPTION_KEY).toBe(HEX);
  expect(config.HOSTED_CLIENT_SECRET).toBe('of the provider');
  expect(config.clients['github']).toMatchObject({ clientId: 'us', clientSecret: 'of GitHub' });
  expect(config.DATABASE_URL).toMatchObject({ kind: 'postgres' });
  expect(config.METRICS_TOKEN).toBeUndefined();
});

it('names every file that is missing or empty, in one message with what else is wrong', async () => {
  const missing = join(folder, 'missing');
  const empty = await write('empty', ' \n');
  const problems = problemsOf({
    SERVER_PUBLIC_URL: 'https://gate.example',
    SESSION_SECRET_FILE: missing,
    ENCRYPTION_KEY_FILE: empty,
    PORT: 'none',
  });
  expect(problems).toEqual([
    'SESSION_SECRET_FILE names a file that cannot be read (ENOENT)',
    'ENCRYPTION_KEY_FILE names a file that is empty',
    'PORT must be a whole number from 1 to 65535',
  ]);
  expect(problemsOf({ ...PUBLIC, ENCRYPTION_KEY_PREVIOUS_FILE: folder })).toEqual([
    'ENCRYPTION_KEY_PREVIOUS_FILE names a file that cannot be read (EISDIR)',
  ]);
});

it('refuses a secret that is set in both ways, also where the file cannot be read', async () => {
  const file = await write('key', HEX);
  expect(problemsOf({ ...PUBLIC, ENCRYPTION_KEY_FILE: file })).toEqual([
    'ENCRYPTION_KEY_FILE cannot be set together with ENCRYPTION_KEY',
  ]);
  expect(problemsOf({ ...PUBLIC, ENCRYPTION_KEY_FILE: join(folder, 'missing') })).toEqual([
    'ENCRYPTION_KEY_FILE cannot be set together with ENCRYPTION_KEY',
  ]);
});

it('repeats nothing of a file whose content is wrong', async () => {
  const problems = problemsOf({
    SERVER_PUBLIC_URL: 'https://gate.example',
    SESSION_SECRET: HEX,
    ENCRYPTION_KEY_FILE: await write('key', 'hunter2'),
  });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(/^ENCRYPTION_KEY must be /);
  expect(problems[0]).not.toContain('hunter2');
});

it('leaves files alone that other programs name', async () => {
  const problems = problemsOf({ ...PUBLIC, SSL_CERT_FILE: '/nowhere', PORT_FILE: '/nowhere' });
  expect(problems).toEqual([]);
});
