// Tests what the container runs: the server and the operator's commands as a bundle, far from any
// node_modules.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle } from '../../adapters/node/bundle.ts';
import { ROOT, runProgram } from '../support/gateway-process.ts';

const KEYS = {
  ENCRYPTION_KEY: '0123456789abcdef'.repeat(4),
  ENCRYPTION_KEY_PREVIOUS: 'fedcba9876543210'.repeat(4),
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bundle-'));
  await bundle(join(folder, 'dist/server'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function run(command: string, args: readonly string[], env: Record<string, string> = {}) {
  const program = ['node', 'adapters/node/launch.mjs', join(folder, `dist/server/${command}.js`), ...args];
  const { exited, output } = runProgram(program, { DATA_DIR: join(folder, 'data'), ...env });
  return { ...(await exited), ...output };
}

describe('the bundle', () => {
  it('names the packages that it contains, with their licences, for people and for tools', async () => {
    const read = (name: string) => readFile(join(folder, 'dist/server', name), 'utf8');
    const notices = await read('THIRD-PARTY-NOTICES.txt');
    const bill: { components: { name: string; version: string; purl: string; licenses: unknown }[] } =
      JSON.parse(await read('sbom.cdx.json'));
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' });
    const { dependencies, devDependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
    // The portal contains Preact, and only the Worker contains bcrypt-ts.
    const { 'bcrypt-ts': _ofWorker, ...ofServer } = dependencies;
    for (const [name, version] of Object.entries<string>({
      ...ofServer,
      preact: devDependencies.preact,
    })) {
      expect(notices).toMatch(new RegExp(`^${name} ${version.replaceAll('.', '\\.')} \\([\\w.-]+\\)$`, 'm'));
      expect(bill.components).toContainEqual(
        expect.objectContaining({ name, version, purl: `pkg:npm/${name.replace('@', '%40')}@${version}` }),
      );
    }
    // A package that holds a program of others as WebAssembly.
    const { version: engine } = JSON.parse(
      await readFile(join(ROOT, 'node_modules/quickjs-wasi/package.json'), 'utf8'),
    );
    expect(engine, 'A new quickjs-wasi may hold another engine: correct its notices').toBe('3.7.0');
    expect(notices).toContain('quickjs-ng 0.18.0 (MIT)');
    expect(bill.components).toContainEqual(
      expect.objectContaining({ name: 'quickjs-ng', version: '0.18.0' }),
    );
    expect(notices.match(/Permission is hereby granted, free of charge/g)?.length).toBeGreaterThan(10);
    expect(JSON.stringify(bill)).not.toContain('unknown');
    const names = bill.components.map(({ name }) => name);
    expect(names).not.toContain('vite');
  });

  it('creates a user, prints a link, lists connections, and seals stored data under a new key', async () => {
    const former = { ENCRYPTION_KEY: KEYS.ENCRYPTION_KEY_PREVIOUS };
    expect(await run('seed', ['--email', 'ana@example.com'], former)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/API key {2}[0-9a-f]{64}/),
    });
    expect(await run('link', ['--email', 'ana@example.com'], former)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^http:\/\/localhost:3000\/#token=\S+\n$/),
    });
    expect(await run('connections', ['list', '--email', 'ana@example.com'], former)).toMatchObject({
      code: 0,
      stdout: 'ana@example.com has connected nothing.\n',
    });
    expect(await run('rotate-keys', [], KEYS)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Sealed again under the new key: 1 value.'),
    });
  });
});
