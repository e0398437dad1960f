// Installs the peers from the npm registry into a temporary folder, outside the project's dependencies.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const VERSIONS = {
  '@modelcontextprotocol/sdk': '1.32.2',
  '@modelcontextprotocol/server': '2.4.0',
  '@modelcontextprotocol/node': '2.1.2',
  executor: '1.5.9',
  'mcp-proxy': '6.7.19',
};
const SERVERS = ['sdk-tools.mjs', 'sdk-v1.mjs', 'sdk-v2.mjs', 'sdk-stdio.mjs'];

/** Returns the folder with the peers and our servers for the SDKs. */
export function installPeers(): string {
  const folder = mkdtempSync(join(tmpdir(), 'peers-'));
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, type: 'module', dependencies: VERSIONS }),
  );
  const { status } = spawnSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) {
    rmSync(folder, { recursive: true, force: true });
    throw new Error('The peers could not be installed: npm has to reach its registry.');
  }
  for (const file of SERVERS) copyFileSync(join(import.meta.dirname, file), join(folder, file));
  return folder;
}
