// Makes the package of the gateway as `npm run pack` does, and a registry on this machine for those that it depends on, so that
// `npm install` needs no network. decision: 006
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { bundle } from '../../adapters/node/bundle.ts';
import { makePackage } from '../../adapters/node/package/package.ts';
import { ROOT, runProgram } from './gateway-process.ts';
import { type HttpServer, startHttpServer } from './http-server.ts';

export const NAME = 'tool-gateway';
export const { version, optionalDependencies } = JSON.parse(
  await readFile(join(ROOT, 'package.json'), 'utf8'),
);

export interface MadePackage {
  /** A folder of its own, with the package in it. */
  folder: string;
  file: string;
  /** What npm needs to know. */
  machine: Record<string, string>;
  close(): Promise<void>;
}

export async function openPackage(): Promise<MadePackage> {
  const folder = await mkdtemp(join(tmpdir(), 'install-'));
  const builds = join(folder, 'builds');
  const vite = [process.execPath, 'node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'];
  const portal = runProgram([...vite, '--emptyOutDir', '--outDir', join(builds, 'portal')], {});
  await Promise.all([portal.exited, bundle(join(builds, 'server'))]);
  const file = await makePackage({ builds, destination: folder });
  const registry = await startRegistry(folder, file);
  return {
    folder,
    file,
    machine: {
      HOME: join(folder, 'home'),
      npm_config_cache: join(folder, 'cache'),
      npm_config_registry: `http://127.0.0.1:${registry.port}`,
      npm_config_audit: 'false',
      npm_config_update_notifier: 'false',
    },
    async close() {
      await registry.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * A registry with the package and its optional ones. In place of 210 MB of Node they have a script that runs the Node of
 * this test.
 */
async function startRegistry(folder: string, file: string): Promise<HttpServer> {
  const nodePackage = join(folder, 'node-package');
  await mkdir(join(nodePackage, 'bin'), { recursive: true });
  const script = `#!/bin/sh\nexec ${process.execPath} "$@"\n`;
  await writeFile(join(nodePackage, 'bin/node'), script, { mode: 0o755 });
  const describePackage = (name: string) => {
    const own =
      name === NAME ? { version, bin: { [NAME]: 'bin/tool-gateway.mjs' }, optionalDependencies } : {};
    const described = { name, version: optionalDependencies[name], ...own };
    const tarball = `http://127.0.0.1:${server.port}/${name}.tgz`;
    return {
      name,
      'dist-tags': { latest: described.version },
      versions: { [described.version]: { ...described, dist: { tarball } } },
    };
  };
  const server = await startHttpServer(({ url = '' }, response) => {
    const name = url.slice(1).replace(/\.tgz$/, '');
    if (name !== NAME && !Object.hasOwn(optionalDependencies, name)) response.writeHead(404).end('{}');
    else if (!url.endsWith('.tgz')) response.end(JSON.stringify(describePackage(name)));
    else if (name === NAME) response.end(readFileSync(file));
    else {
      writeFileSync(
        join(nodePackage, 'package.json'),
        JSON.stringify({ name, version: optionalDependencies[name] }),
      );
      const tar = ['--create', '--file=-', `--directory=${folder}`, basename(nodePackage)];
      response.end(execFileSync('tar', tar));
    }
  });
  return server;
}
