// Tests what `wrangler deploy` would upload, built by wrangler itself without a network.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { FEATURES } from '../../src/features.ts';
import { allOperations } from '../../src/rest/openapi/chapters.ts';
import { ROOT } from '../support/gateway-process.ts';
import { configure } from '../support/worker.ts';

// A quarter of what the platform takes. Most of it is our own code, the MCP client, the validator and the database's query
// builder: docs/performance.md has the shares.
const MOST_BYTES = 750_000;

it('uploads modules of bounded size, without Node-only modules', async () => {
  const { configPath, remove } = await configure({ vars: {} });
  const folder = join(dirname(configPath), 'out');
  const args = ['deploy', '--dry-run', '--outdir', folder, '--config', configPath];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules/wrangler/bin/wrangler.js'), ...args],
    { encoding: 'utf8' },
  );
  expect(status, `${stdout}${stderr}`).toBe(0);
  for (const binding of ['env.DB', 'env.BLOBS', 'env.ASSETS', 'env.SERVER_PUBLIC_URL'])
    expect(stdout).toContain(binding);
  const modules = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.js'));
  expect(modules.length).toBeGreaterThan(5);
  const upload = Buffer.concat(await Promise.all(modules.map((name) => readFile(join(folder, name)))));
  const descriptions = allOperations(FEATURES).flatMap(([, { description }]) => description ?? []);
  expect(descriptions.length).toBeGreaterThan(50);
  expect(descriptions.filter((text) => upload.includes(text))).toEqual([]);
  expect(gzipSync(upload, { level: 9 }).length).toBeLessThanOrEqual(MOST_BYTES);
  expect(upload.toString()).not.toMatch(/node:(sqlite|fs|http|worker_threads|child_process)/);
  expect(errorsMadeByLoading(join(folder, 'worker.js'))).toEqual([]);
  await remove();
}, 120_000);

it('asks a newcomer for five values', () => {
  const example = readFileSync(join(ROOT, 'wrangler.example.toml'), 'utf8');
  const marks = [...example.matchAll(/\((\d)\)/g)].map(([, mark]) => mark);
  expect(new Set(marks)).toEqual(new Set(['1', '2', '3', '4', '5']));
});

/**
 * Error objects made at the top of a module. One alone costs a cold start an eighth of its time: V8 reads all
 * top-level code again for its stack.
 */
function errorsMadeByLoading(bundle: string): unknown {
  const script = `const made = [];
    globalThis.Error = new Proxy(Error, {
      construct(target, args, newTarget) { made.push(String(args[0])); return Reflect.construct(target, args, newTarget); },
    });
    await import(${JSON.stringify(pathToFileURL(bundle).href)});
    process.stdout.write(JSON.stringify(made));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  });
  return stderr === '' ? JSON.parse(stdout) : stderr;
}
