// Tests that the files of docs/deploy and docs/operating.md agree with the code. node/many-processes.test.ts
// runs nginx.conf.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as metrics from '../drivers/metrics/names.ts';
import { readConfig } from '../src/config/config.ts';
import { REQUEST_COOKIE_CHARACTERS, STOP_MS, TICKET_CHARACTERS } from '../src/config/limits.ts';
import { startHttpServer } from './support/http-server.ts';
import { describeNginx, startNginx } from './support/nginx.ts';
import { createManualClock } from './support/manual-clock.ts';
import { createTestApp } from './support/test-app.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (name: string) => readFileSync(join(ROOT, name), 'utf8');
/** The variables in the first column of a page's tables. */
const variablesOf = (file: string) =>
  new Set(
    [...read(file).matchAll(/^\| (`[A-Z].*?`) \|/gm)].flatMap(([, names = '']) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
    ),
  );
const documented = variablesOf('docs/configuration.md');
/** Returns the gateway's settings in either file, without those of the database's image. */
const settings = (text: string) =>
  [...text.matchAll(/^ {2,4}([A-Z][A-Z0-9_]+):|--from-literal=([A-Z0-9_]+)=/gm)]
    .map(([, one, other]) => one ?? other ?? '')
    .filter((name) => !name.startsWith('POSTGRES_'));

describe('docs/configuration.md', () => {
  it('has a row for every variable, and no row for another', () => {
    const [schema = ''] = read('src/config/config.ts').split('type Environment');
    const known = new Set([...schema.matchAll(/^  ([A-Z][A-Z0-9_]+): /gm)].map(([, name = '']) => name));
    expect(known.has('PORT')).toBe(true);
    expect({
      withoutRow: [...known].filter((name) => !documented.has(name)),
      unknown: [...documented].filter((name) => !known.has(name)),
    }).toEqual({ withoutRow: [], unknown: [] });
  });

  it('has a row for the variables of an integration', () => {
    const rows =
      read('docs/configuration.md')
        .match(/^\| `<NAME>_.*?\|/gm)
        ?.join('') ?? '';
    for (const name of ['CLIENT_ID', 'CLIENT_SECRET', 'INSTANCES'])
      expect(rows).toContain(`\`<NAME>_${name}\``);
  });
});

describe('README.md', () => {
  it('names only variables that docs/configuration.md documents', () => {
    const named = [...variablesOf('README.md')];
    expect(named).toContain('PORT');
    expect(named.filter((name) => !documented.has(name))).toEqual([]);
  });
});

describe.each(['docs/deploy/compose.yaml', 'docs/deploy/kubernetes.yaml'])('%s', (file) => {
  const text = read(file);

  it('sets only documented variables', () => {
    const names = settings(text);
    expect(names).toEqual(expect.arrayContaining(['SERVER_PUBLIC_URL', 'SESSION_SECRET', 'ENCRYPTION_KEY']));
    expect(names.filter((name) => !documented.has(name))).toEqual([]);
  });

  it('gives a process more time to stop than the gateway takes', () => {
    const seconds = /(?:stop_grace_period|terminationGracePeriodSeconds): (\d+)/.exec(text)?.[1];
    expect(Number(seconds) * 1000).toBeGreaterThan(STOP_MS);
  });
});

describe('docs/operating.md', () => {
  it('lists every metric with its labels', () => {
    const rows = [...read('docs/operating.md').matchAll(/^\| `(service_\w+)` \| (.*?) \|/gm)];
    expect(rows.map(([, name, labels]) => [name, labels])).toEqual(
      Object.values(metrics).map(({ name, labels }) => [
        name,
        labels.map((each) => `\`${each}\``).join(', '),
      ]),
    );
  });
});

describe('every container', () => {
  it('of compose.yaml starts without capabilities but named ones, and gains no privileges', () => {
    const text = read('docs/deploy/compose.yaml');
    // The gateways share one anchor; every other image has settings of its own.
    const containers = text
      .split(/^(?=x-gateway:|  [\w-]+:\n    image: )/m)
      .filter((part) => part.includes(' image: '));
    expect(containers).toHaveLength(4);
    for (const container of containers) {
      expect(container).toMatch(/^ +security_opt: .*"no-new-privileges:true"/m);
      expect(container).toMatch(/^ +cap_drop: \[ALL\]$/m);
    }
    expect(containers[0]).not.toContain('cap_add');
  });

  it('of kubernetes.yaml starts without capabilities, and gains no privileges', () => {
    const text = read('docs/deploy/kubernetes.yaml');
    const count = (pattern: RegExp) => text.match(pattern)?.length;
    expect(count(/^ +allowPrivilegeEscalation: false$/gm)).toBe(count(/^ +image: /gm));
    expect(count(/^ +capabilities: \{ drop: \[ALL\] \}$/gm)).toBe(count(/^ +image: /gm));
  });
});

describe('docs/deploy/seccomp.json', () => {
  it("applies to every gateway of compose.yaml and allows the system calls of Chromium's sandbox", () => {
    expect(read('docs/deploy/compose.yaml').match(/^  security_opt: .*$/gm)).toEqual([
      '  security_opt: ["seccomp:./seccomp.json", "no-new-privileges:true"]',
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

describe('docs/deploy/nginx.conf', () => {
  const text = read('docs/deploy/nginx.conf');
  const limited = [...text.matchAll(/^ +~(\S+) +\$binary_remote_addr;$/gm)].map(
    ([, pattern = '']) => new RegExp(pattern),
  );

  it.each([
    ['/authorize', true],
    ['/register', true],
    ['/token', true],
    ['/api/auth/hosted', true],
    ['/api/auth/idp/callback', true],
    ['/mcp', false],
    ['/api/auth/github', false],
    ['/j/authorize', false],
  ])('limits by address what anybody may begin: %s %s', (path, isLimited) => {
    expect(limited.some((pattern) => pattern.test(path))).toBe(isLimited);
  });

  it('applies the limit to the gateway, with 429', () => {
    const [, zone = ''] = /limit_req_zone \$gateway_stranger zone=(\w+):/.exec(text) ?? [];
    expect(text).toMatch(new RegExp(`location / \\{[^}]*limit_req zone=${zone} `));
    expect(text).toContain('limit_req_status 429;');
  });

  it('has room for the longest authorization in a request and in a response', () => {
    const most = 2 * REQUEST_COOKIE_CHARACTERS + TICKET_CHARACTERS;
    const sizes = [...text.matchAll(/(?:header_buffers \d+|buffer_size|buffers \d+) (\d+)k;/g)].map(
      ([, size]) => Number(size) * 1024,
    );
    expect(sizes).toHaveLength(3);
    for (const size of sizes) expect(size).toBeGreaterThan(most + 4_096);
  });
});

describeNginx('docs/deploy/nginx.conf in nginx', () => {
  it('answers 429 to an address that begins without end, and still serves its other requests', async () => {
    const server = await startHttpServer((_, outgoing) => void outgoing.end('gateway'));
    const nginx = await startNginx([server.port, server.port, server.port]);
    const ask = async (path: string) => (await fetch(`${nginx.base}${path}`)).status;
    const asked = await Promise.all(Array.from({ length: 400 }, () => ask('/authorize?client_id=x')));
    expect(new Set(asked)).toEqual(new Set([200, 429]));
    expect(await Promise.all(Array.from({ length: 400 }, () => ask('/mcp')))).not.toContain(429);
    await nginx.stop();
    await server.close();
  });
});

describe('docs/deploy/compose.yaml', () => {
  it('builds the image of its three gateways once', () => {
    expect(read('docs/deploy/compose.yaml').match(/^ +build: /gm)).toHaveLength(1);
  });

  it('passes all of .env to each gateway', () => {
    expect(read('docs/deploy/compose.yaml')).toMatch(/^x-gateway:.*(\n .*)*\n  env_file: \.env\n/m);
  });

  it.each(['.gitignore', '.dockerignore'])('excludes .env with %s', (file) => {
    expect(read('docs/deploy/compose.yaml')).toContain('cat > .env');
    expect(read(file).split('\n')).toContain(file === '.gitignore' ? '.env' : '**/.env');
  });
});

describe('docs/deploy/kubernetes.yaml', () => {
  const text = read('docs/deploy/kubernetes.yaml');

  it('names one version of the image everywhere', () => {
    const tags = [...text.matchAll(/registry\.example\.com\/tool-gateway(\S*)/g)].map(([, tag]) => tag);
    expect(tags).toHaveLength(3);
    expect(new Set(tags)).toEqual(new Set([expect.stringMatching(/^:\d+\.\d+\.\d+$/)]));
  });

  it('uses the port and the data folder of the image', () => {
    const [, dataDir, port] = /DATA_DIR=(\S+) PORT=(\d+)/.exec(read('Dockerfile')) ?? [];
    expect(text.match(/containerPort: \d+/g)).toEqual([`containerPort: ${port}`]);
    expect(text.match(/mountPath: [^ ]+/g)).toEqual([`mountPath: ${dataDir}`]);
  });

  it('runs an image that listens on all addresses, because probes and requests come from outside', () => {
    expect(read('Dockerfile')).toMatch(/^ENV .* HOST=::$/m);
  });

  it('mounts no service account token', () => {
    expect(text).toMatch(/^      automountServiceAccountToken: false$/m);
  });

  it('has a ConfigMap that the gateway accepts', () => {
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

describe('probes', () => {
  const probes = new Map(
    [...read('docs/deploy/kubernetes.yaml').matchAll(/(\w+)Probe:\n +httpGet: \{ path: (\S+),/g)].map(
      ([, name = '', path = '']) => [name, path],
    ),
  );
  const [, compose = ''] =
    /^  healthcheck:\n    test: .*http:\/\/127\.0\.0\.1:3000(\/[\w/]+)'/m.exec(
      read('docs/deploy/compose.yaml'),
    ) ?? [];

  it('of Kubernetes restart no process whose database is away, and send it no requests', async () => {
    const clock = createManualClock();
    const app = await createTestApp({ ports: { clock } });
    const statuses = async () =>
      Promise.all(
        ['startup', 'liveness', 'readiness'].map(
          async (name) => (await app.request(probes.get(name) ?? '')).status,
        ),
      );
    expect(await statuses()).toEqual([200, 200, 200]);
    await app.close();
    await clock.pass(1_000);
    expect(await statuses()).toEqual([200, 200, 503]);
  });

  it('of compose ask whether a gateway is ready', () => {
    expect(compose).toBe(probes.get('readiness'));
  });
});
