// Installs npm's proxies at pinned versions for one run, because nothing else in the project needs them.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DurablePeer, startDurable } from './durable-peers.ts';
import type { Durability } from './durable-rows.ts';
import { type Running, startScript } from './servers.ts';

const SCRIPT = 'test/bench/proxy-peer.ts';

export const PEERS = [
  { name: 'fast-proxy', version: '2.2.0', bar: 0.9 },
  { name: 'http-proxy', version: '1.18.1', bar: 1.5 },
];

/** Returns the folder with the proxies, or null when the registry is unreachable. */
export function installPeers(): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'bench-peers-'));
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const wanted = PEERS.map(({ name, version }) => `${name}@${version}`);
  const { status } = spawnSync('npm', ['install', '--ignore-scripts', '--no-audit', ...wanted], {
    cwd: folder,
    stdio: 'ignore',
  });
  return status === 0 ? folder : null;
}

export function startPeer(name: string, folder: string, upstream: string): Promise<Running> {
  return startScript(SCRIPT, (port) => [name, folder, String(port), upstream]);
}

/** Starts a proxy that also writes one row per call. */
export function startDurablePeer(
  name: string,
  folder: string,
  upstream: string,
  durability: Durability,
): Promise<DurablePeer> {
  return startDurable(SCRIPT, (port) => [name, folder, String(port), upstream], durability);
}
