// The files of docs/deploy and docs/operating.md say nothing that the gateway does not know. nginx.conf is run by
// node/many-processes.test.ts.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as metrics from '../drivers/metrics/names.ts';
import { readConfig } from '../src/config/config.ts';
import { STOP_MS } from '../src/config/limits.ts';
import { createTestApp } from './support/test-app.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (name: string) => readFileSync(join(ROOT, name), 'utf8');
const documented = new Set(
  [...read('README.md').matchAll(/^\| (`[A-Z].*?`) \|/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name),
  ),
);
/** Settings of the gateway, by how either file writes them; the database's own image has its own. */
const settings = (text: string) =>
  [...text.matchAll(/^ {2,4}([A-Z][A-Z0-9_]+):|--from-literal=([A-Z0-9_]+)=/gm)]
    .map(([, one, other]) => one ?? other ?? '')
    .filter((name) => !name.startsWith('POSTGRES_'));

describe('README.md, Configuration', () => {
  it('has a row for every setting, and names none that is not there', () => {
    const [schema = ''] = read('src/config/config.ts').split('type Environment');
    const known = [...schema.matchAll(/^  ([A-Z][A-Z0-9_]+): /gm)].map(([, name]) => name);
    expect(known).toContain('PORT');
    expect(documented).toEqual(new Set(known));
  });
});

describe.each(['docs/deploy/compose.yaml', 'docs/deploy/kubernetes.yaml'])('%s', (file) => {
  const text = read(file);

  it('sets what the README names', () => {
    const names = settings(text);
    expect(names).toEqual(expect.arrayContaining(['SERVER_PUBLIC_URL', 'SESSION_SECRET', 'ENCRYPTION_KEY']));
    expect(names.filter((name) => !documented.has(name))).toEqual([]);
  });

  it('gives a process more time to stop than it takes', () => {
    const seconds = /(?:stop_grace_period|terminationGracePeriodSeconds): (\d+)/.exec(text)?.[1];
    expect(Number(seconds) * 1000).toBeGreaterThan(STOP_MS);
  });
});

describe('docs/operating.md', () => {
  it('names what is counted, with its labels', () => {
    const rows = [...read('docs/operating.md').matchAll(/^\| `(service_\w+)` \| (.*?) \|/gm)];
    expect(rows.map(([, name, labels]) => [name, labels])).toEqual(
      Object.values(metrics).map(({ name, labels }) => [
        name,
        labels.map((each) => `\`${each}\``).join(', '),
      ]),
    );
  });
});

describe('docs/deploy/seccomp.json', () => {
  it('is what every gateway of compose.yaml gets, and keeps nothing that Chromium makes its sandbox with', () => {
    expect(read('docs/deploy/compose.yaml').match(/^ +security_opt: .*$/gm)).toEqual([
      '  security_opt: ["seccomp:./seccomp.json"]',
    ]);
    const { syscalls }: { syscalls: { names: string[]; action: string }[] } = JSON.parse(
      read('docs/deploy/seccomp.json'),
    );
    const refused = syscalls.flatMap(({ names, action }) => (action === 'SCMP_ACT_ERRNO' ? names : []));
    expect(refused).toEqual(expect.arrayContaining(['mount', 'ptrace', 'bpf', 'keyctl']));
    const needed = ['clone', 'clone3', 'unshare', 'chroot', 'seccomp', 'prctl'];
    expect(needed.filter((name) => refused.includes(name))).toEqual([]);
  });
});

describe('docs/deploy/compose.yaml', () => {
  it('builds the image of its three gateways once', () => {
    expect(read('docs/deploy/compose.yaml').match(/^ +build: /gm)).toHaveLength(1);
  });

  it('hands a gateway whatever else stands beside its secrets', () => {
    expect(read('docs/deploy/compose.yaml')).toMatch(/^x-gateway:.*(\n .*)*\n  env_file: \.env\n/m);
  });

  it.each(['.gitignore', '.dockerignore'])('has %s keep its secrets out', (file) => {
    expect(read('docs/deploy/compose.yaml')).toContain('cat > .env');
    expect(read(file).split('\n')).toContain(file === '.gitignore' ? '.env' : '**/.env');
  });
});

describe('docs/deploy/kubernetes.yaml', () => {
  const text = read('docs/deploy/kubernetes.yaml');

  it('names one version of the image, so that no process is another one than its neighbours', () => {
    const tags = [...text.matchAll(/registry\.example\.com\/tool-gateway(\S*)/g)].map(([, tag]) => tag);
    expect(tags).toHaveLength(3);
    expect(new Set(tags)).toEqual(new Set([expect.stringMatching(/^:\d+\.\d+\.\d+$/)]));
  });

  it('listens and writes where the image does', () => {
    const [, dataDir, port] = /DATA_DIR=(\S+) PORT=(\d+)/.exec(read('Dockerfile')) ?? [];
    expect(text.match(/containerPort: \d+/g)).toEqual([`containerPort: ${port}`]);
    expect(text.match(/mountPath: [^ ]+/g)).toEqual([`mountPath: ${dataDir}`]);
  });

  it('lays no token of the cluster into the container', () => {
    expect(text).toMatch(/^      automountServiceAccountToken: false$/m);
  });

  it('has a ConfigMap that a gateway starts with', () => {
    const values = [...text.matchAll(/^  ([A-Z][A-Z0-9_]+): "?(.*?)"?$/gm)].map(([, name, value]) => [
      name,
      value,
    ]);
    const secrets = {
      SESSION_SECRET: randomBytes(32).toString('hex'),
      ENCRYPTION_KEY: randomBytes(32).toString('hex'),
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: 'secret',
    };
    const config = readConfig({ ...Object.fromEntries(values), ...secrets }, () => {
      throw new Error('a secret of loopback is asked for');
    });
    expect(config).toMatchObject({ loopback: false, TRUST_PROXY: true, BLOBS_URL: { kind: 's3' } });
  });
});

describe('the probes of docs/deploy/kubernetes.yaml', () => {
  it('ask a specified route, which answers anybody, also without a database', async () => {
    const paths = [...read('docs/deploy/kubernetes.yaml').matchAll(/httpGet: \{ path: (\S+),/g)].map(
      ([, path]) => path ?? '',
    );
    expect(paths).toHaveLength(3);
    const app = await createTestApp();
    await app.close();
    for (const path of paths) expect((await app.request(path)).status, path).toBe(200);
  });
});
