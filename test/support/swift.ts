// Runs OpenStack Swift with its S3 interface from Debian's packages, as a real S3-compatible server.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { AwsClient } from 'aws4fetch';
import { describeWith } from './describe-with.ts';
import { freePort } from './listen.ts';

export interface S3Place {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

const USER = { accessKeyId: 'test:tester', secretAccessKey: 'testing', region: 'us-east-1' };
const BACKENDS = ['account', 'container', 'object'] as const;
// Without these time-outs, Swift on a busy machine delays updates that a listing must show.
const PATIENCE = 'conn_timeout = 20\nnode_timeout = 60\ncontainer_update_timeout = 60\n';
const PIPELINE = 'catch_errors gatekeeper cache listing_formats bulk s3api tempauth copy slo dlo';

/** Describes a suite that needs Swift. */
export function describeSwift(name: string, body: () => void): void {
  const found = spawnSync('swift-ring-builder', ['--version']).error === undefined;
  describeWith(name, found ? undefined : 'Swift is not installed (swift-proxy and its backends)', body);
}

/** Starts a server with an empty bucket. */
export async function startSwift(): Promise<{ place: S3Place; close: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'swift-'));
  await mkdir(join(folder, 'disks/d1'), { recursive: true });
  const children: ChildProcess[] = [];
  for (const backend of BACKENDS) {
    const port = await freePort();
    makeRing(folder, backend, port);
    children.push(await startServer(folder, backend, port, backendConfiguration(backend)));
    // The proxy avoids a backend for a while after a failed request, so wait until each backend responds.
    await until(async () => (await fetch(`http://127.0.0.1:${port}/`)).status > 0);
  }
  const port = await freePort();
  children.push(await startServer(folder, 'proxy', port, proxyConfiguration()));

  const place = { endpoint: `http://127.0.0.1:${port}`, bucket: 'blobs', ...USER };
  const client = new AwsClient({ ...USER, service: 's3', retries: 0 });
  await until(async () => (await client.fetch(`${place.endpoint}/${place.bucket}`, { method: 'PUT' })).ok);
  return {
    place,
    async close() {
      const ended = children.map((child) => once(child, 'exit'));
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(ended);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function makeRing(folder: string, backend: string, port: number): void {
  const builder = join(folder, `${backend}.builder`);
  for (const args of [['create', '2', '1', '0'], ['add', `r1z1-127.0.0.1:${port}/d1`, '1'], ['rebalance']]) {
    const { status, stdout } = spawnSync('swift-ring-builder', [builder, ...args], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`swift-ring-builder ${args.join(' ')}: ${stdout}`);
  }
}

async function startServer(folder: string, name: string, port: number, rest: string): Promise<ChildProcess> {
  const file = join(folder, `${name}.conf`);
  const settings = {
    bind_ip: '127.0.0.1',
    bind_port: port,
    workers: 0,
    user: userInfo().username,
    swift_dir: folder,
    devices: join(folder, 'disks'),
    mount_check: false,
    log_level: 'ERROR',
  };
  const lines = Object.entries(settings).map(([key, value]) => `${key} = ${value}`);
  await writeFile(file, `[DEFAULT]\n${lines.join('\n')}\n${rest}`);
  return spawn(`swift-${name}-server`, [file], { stdio: ['ignore', 'ignore', 'inherit'] });
}

const backendConfiguration = (name: string) =>
  `[pipeline:main]\npipeline = ${name}-server\n[app:${name}-server]\nuse = egg:swift#${name}\n${PATIENCE}`;

function proxyConfiguration(): string {
  const options: Record<string, string> = {
    // Nobody listens on this port: Swift works without memcached.
    cache: 'memcache_servers = 127.0.0.1:1',
    tempauth: 'user_test_tester = testing .admin',
    // A small limit, so that a long listing takes several responses.
    s3api: `location = ${USER.region}\nmax_bucket_listing = 25`,
  };
  const filters = PIPELINE.split(' ').map((name) => {
    const use = name === 'cache' ? 'memcache' : name;
    return `[filter:${name}]\nuse = egg:swift#${use}\n${options[name] ?? ''}\n`;
  });
  const app = `[app:proxy-server]\nuse = egg:swift#proxy\naccount_autocreate = true\n${PATIENCE}`;
  return `[pipeline:main]\npipeline = ${PIPELINE} proxy-server\n${app}${filters.join('')}`;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  let failure: unknown = 'it answered no';
  const isTrue = () =>
    holds().catch((error: unknown) => {
      failure = error;
      return false;
    });
  for (const end = performance.now() + 60_000; ;) {
    if (await isTrue()) return;
    if (performance.now() > end) throw new Error('Swift does not answer', { cause: failure });
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
