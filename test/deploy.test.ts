// Tests that the files of docs/deploy and docs/operating.md agree with the code. node/many-processes.test.ts
// runs nginx.conf.
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Validator } from '@cfworker/json-schema';
import { load, loadAll, YAML11_SCHEMA } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { readNodeConfig } from '../adapters/node/secret-files.ts';
import * as metrics from '../drivers/metrics/names.ts';
import { isSecretVariable, readConfig } from '../src/config/config.ts';
import { REQUEST_COOKIE_CHARACTERS } from '../src/login/limits.ts';
import { STOP_MS } from '../adapters/node/stop-limits.ts';
import { TICKET_CHARACTERS } from '../src/oauth/limits.ts';
import { certificate, key } from './contracts/network-certificate.ts';
import { describeWith } from './support/describe-with.ts';
import { startHttpServer } from './support/http-server.ts';
import { freePort } from './support/listen.ts';
import { describeNginx, startNginx } from './support/nginx.ts';
import { createManualClock } from './support/manual-clock.ts';
import { findReal, REAL_MODULES, readReal } from './support/openapi-corpus.ts';
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
const BASE = 'docs/deploy/kubernetes/base';
const EXAMPLE = 'docs/deploy/kubernetes/example';
const kubernetes = `${read(`${BASE}/gateway.yaml`)}\n${read(`${BASE}/kustomization.yaml`)}\n${read(`${EXAMPLE}/kustomization.yaml`)}`;
/**
 * Returns the gateway's settings: of a map, of the literals of a generator, and of a file that a comment writes. The
 * settings of the database's image are left out.
 */
const settings = (text: string) =>
  [...text.matchAll(/^(?: {2,4}| {6}- |# {3})([A-Z][A-Z0-9_]+)[:=]/gm)]
    .map(([, name = '']) => name)
    .filter((name) => !name.startsWith('POSTGRES_'));

describe('docs/configuration.md', () => {
  it('has a row for every variable, and no row for another', () => {
    const [schema = ''] = read('src/config/config.ts').split('type Environment');
    const [telemetry = ''] = read('src/config/telemetry.ts').split('TELEMETRY_VARIABLES');
    const known = new Set(
      [...`${schema}${telemetry}`.matchAll(/^  ([A-Z][A-Z0-9_]+): /gm)].map(([, name = '']) => name),
    );
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

describe('docs/deploy/tool-gateway.service', () => {
  const unit = read('docs/deploy/tool-gateway.service');
  const valueOf = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1] ?? '';

  it('starts what the build makes, with variables that exist', () => {
    expect(valueOf('ExecStart')).toBe('/usr/bin/node /opt/tool-gateway/dist/server/main.js');
    expect(read('adapters/node/bundle.ts')).toContain("main: 'adapters/node/main.ts'");
    const names = [...valueOf('Environment').matchAll(/(\w+)=/g)].map(([, name = '']) => name);
    expect(names).toContain('DATA_DIR');
    expect(names.filter((name) => name !== 'NODE_ENV' && !documented.has(name))).toEqual([]);
    expect(valueOf('Environment')).toContain(`DATA_DIR=/var/lib/${valueOf('StateDirectory')}`);
  });

  it('waits longer for the end than a gateway takes', () => {
    expect(Number(valueOf('TimeoutStopSec')) * 1000).toBeGreaterThan(STOP_MS);
  });

  it('leaves Chromium what its sandbox needs', () => {
    expect(unit).not.toMatch(/^(RestrictNamespaces|MemoryDenyWriteExecute|SystemCallFilter)=/m);
  });
});

describe('README.md', () => {
  it('names only variables that docs/configuration.md documents', () => {
    const named = [...variablesOf('README.md')];
    expect(named).toContain('PORT');
    expect(named.filter((name) => !documented.has(name))).toEqual([]);
  });
});

describe.each([
  ['docs/deploy/compose.yaml', read('docs/deploy/compose.yaml')],
  ['docs/deploy/kubernetes', kubernetes],
])('%s', (_place, text) => {
  it('sets only documented variables', () => {
    const names = settings(text).map((name) => {
      const secret = name.replace(/_FILE$/, '');
      return isSecretVariable(secret) ? secret : name;
    });
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

describe('the audit log of a server', () => {
  it.each([
    'README.md',
    'docs/deploy/compose.yaml',
    'docs/deploy/kubernetes/example/kustomization.yaml',
    'wrangler.example.toml',
  ])('is sealed by the key that %s makes', (file) => {
    expect(read(file)).toMatch(
      /AUDIT_SIGNING_KEY=\$\(openssl rand -hex 32\)|openssl rand -hex 32 (?:> secrets\/audit_signing_key|\| npx wrangler secret put AUDIT_SIGNING_KEY)/,
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

  it('of kubernetes starts without capabilities, and gains no privileges', () => {
    const text = read(`${BASE}/gateway.yaml`);
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

  it('keeps the metrics from everybody outside, however their path is spelled', async () => {
    const server = await startHttpServer((_, outgoing) => void outgoing.end('gateway'));
    const nginx = await startNginx([server.port, server.port, server.port]);
    const ask = async (path: string) => {
      const socket = connect(Number(new URL(nginx.base).port), '127.0.0.1').setEncoding('latin1');
      socket.write(`GET ${path} HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n\r\n`);
      return (await socket.toArray()).join('').split('\r\n')[0];
    };
    for (const path of ['/metrics', '/metrics?x', '/%6detrics', '//metrics', '/./metrics', '/a/../metrics'])
      expect([path, await ask(path)]).toEqual([path, 'HTTP/1.1 404 Not Found']);
    expect(await ask('/api/health')).toBe('HTTP/1.1 200 OK');
    await nginx.stop();
    await server.close();
  });

  it('serves https with nginx-tls.conf, and sends http there', async () => {
    const server = await startHttpServer(({ url }, outgoing) => void outgoing.end(`gateway ${url}`));
    const port = await freePort();
    const nginx = await startNginx([server.port, server.port, server.port], undefined, {
      port,
      certificate,
      key,
    });
    const [incoming] = await once(
      get({ host: '127.0.0.1', port, servername: 'upstream.test', ca: certificate, path: '/a%2Fb' }),
      'response',
    );
    expect(incoming.statusCode).toBe(200);
    expect(incoming.headers['strict-transport-security']).toMatch(/^max-age=\d+$/);
    expect(await text(incoming)).toBe('gateway /a%2Fb');
    const plain = await fetch(`${nginx.base}/mcp?x=1`, { redirect: 'manual' });
    expect([plain.status, plain.headers.get('location')]).toEqual([301, 'https://127.0.0.1/mcp?x=1']);
    await nginx.stop();
    await server.close();
  });
});

interface Compose {
  services: Record<
    string,
    {
      image: string;
      mem_limit?: string;
      pids_limit?: number;
      logging?: { options: Record<string, string> };
      ports?: string[];
      volumes?: string[];
      environment?: Record<string, string>;
      secrets?: string[];
    }
  >;
  secrets: Record<string, { file: string }>;
}

describe('docs/deploy/compose.yaml', () => {
  const { services, secrets } = readYaml('docs/deploy/compose.yaml') as Compose;

  it('limits the memory, the processes and the log of every container', () => {
    expect(Object.keys(services)).toHaveLength(6);
    for (const [name, { mem_limit: memory, pids_limit: processes, logging }] of Object.entries(services)) {
      expect(memory, name).toMatch(/^\d+[mg]$/);
      expect(processes, name).toBeGreaterThan(0);
      expect(logging?.options, name).toMatchObject({ 'max-size': expect.stringMatching(/^\d+m$/) });
    }
    const [, gibibytes] = /limits: \{ memory: (\d+)Gi \}/.exec(kubernetes) ?? [];
    expect(services['gateway-1']?.mem_limit).toBe(`${gibibytes}g`);
  });

  it('gives nginx its TLS block where nginx.conf looks, and the secrets that the block names', () => {
    const { ports, volumes = [], secrets: granted } = services['nginx'] ?? {};
    const [, folder = ''] = /^ +include (\S+\/)\*\.conf;$/m.exec(read('docs/deploy/nginx.conf')) ?? [];
    expect(volumes).toContain(`./nginx-tls.conf:${folder}nginx-tls.conf:ro`);
    const tls = read('docs/deploy/nginx-tls.conf');
    const named = [...tls.matchAll(/ \/run\/secrets\/(\w+);/g)].map(([, name]) => name);
    expect(named).toHaveLength(2);
    expect(granted).toEqual(named);
    const listening = [...`${read('docs/deploy/nginx.conf')}${tls}`.matchAll(/^ *listen (\d+)/gm)];
    expect(ports).toEqual(listening.map(([, port]) => `${port}:${port}`));
  });

  it('hands every secret to a program that reads it from its file', () => {
    const given = Object.values(services).flatMap((service) => service.secrets ?? []);
    expect(new Set(given)).toEqual(new Set(Object.keys(secrets)));
    for (const [name, { environment = {}, secrets: granted = [] }] of Object.entries(services)) {
      const files = Object.entries(environment).filter(([variable]) => variable.endsWith('_FILE'));
      if (name !== 'nginx')
        expect(files.map(([, file]) => file)).toEqual(
          files.length === 0 ? [] : granted.map((each) => `/run/secrets/${each}`),
        );
      if (!name.startsWith('gateway')) continue;
      expect(files).toHaveLength(5);
      for (const [variable] of files)
        expect(isSecretVariable(variable.replace(/_FILE$/, '')), variable).toBe(true);
    }
  });

  it('starts a gateway with its environment and the secrets that its head makes', () => {
    const folder = mkdtempSync(join(tmpdir(), 'compose-'));
    const { environment = {} } = services['gateway-1'] ?? {};
    const head = [...read('docs/deploy/compose.yaml').matchAll(/^# {3}((?:openssl|echo) .*)$/gm)];
    expect(head).toHaveLength(6);
    mkdirSync(join(folder, 'secrets'));
    for (const [, line = ''] of head) execFileSync('sh', ['-c', line], { cwd: folder });
    const given = Object.entries(environment).map(([name, value]) => [
      name,
      value.replace('/run/secrets', join(folder, 'secrets')).replace(/\$\{\w+:\?\}/, 'https://gate.example'),
    ]);
    const config = readNodeConfig(Object.fromEntries(given), () => {
      throw new Error('a secret of loopback is asked for');
    });
    rmSync(folder, { recursive: true });
    expect(config.ENCRYPTION_KEY).toMatch(/^[0-9a-f]{64}$/);
    expect(config.AUDIT_SIGNING_KEY).toMatch(/^[0-9a-f]{64}$/);
    expect(config.HOSTED_CLIENT_SECRET).toBe('…');
    expect(config.DATABASE_URL).toEqual({
      kind: 'postgres',
      url: expect.stringMatching(/^postgres:\/\/gateway:[0-9a-f]{32}@postgres\/gateway$/),
    });
  });

  it.each([
    ['.gitignore', '/docs/deploy/'],
    ['.dockerignore', 'docs/deploy/'],
  ])('excludes the files of its secrets with %s', (file, folder) => {
    const end = folder.startsWith('/') ? '/' : '';
    for (const secret of Object.values(secrets)) {
      const [, place = ''] = /^\.\/(tls|secrets)\//.exec(secret.file) ?? [];
      expect(read(file).split('\n')).toContain(`${folder}${place}${end}`);
    }
  });

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

interface Generated {
  name: string;
  behavior?: string;
  literals?: string[];
  envs?: string[];
}
interface Kustomization {
  resources: string[];
  images?: { name: string; newTag: string }[];
  configMapGenerator: Generated[];
  secretGenerator?: Generated[];
}
const readYaml = (file: string) => load(read(file), { schema: YAML11_SCHEMA });

describe('docs/deploy/kubernetes', () => {
  const text = read(`${BASE}/gateway.yaml`);
  const base = readYaml(`${BASE}/kustomization.yaml`) as Kustomization;
  const example = readYaml(`${EXAMPLE}/kustomization.yaml`) as Kustomization;
  const literalsOf = ({ configMapGenerator: [map] }: Kustomization) =>
    (map?.literals ?? []).map((line) => /^(\w+)=(.*)$/.exec(line)?.slice(1, 3) ?? [line]);

  it('has one version of the image everywhere', () => {
    const { version } = JSON.parse(read('package.json'));
    const tags = [...kubernetes.matchAll(/\/tool-gateway:(\S+)|newTag: (\S+)/g)].map(
      ([, one, other]) => one ?? other,
    );
    expect(tags).toHaveLength(4);
    expect(new Set(tags)).toEqual(new Set([version]));
  });

  it('has a base of all its files, whose names the overlay uses', () => {
    const files = readdirSync(join(ROOT, BASE)).filter((name) => name !== 'kustomization.yaml');
    expect(base.resources).toEqual(files);
    const kinds = (loadAll(text) as { kind: string }[]).map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual([
      'Deployment',
      'HorizontalPodAutoscaler',
      'PodDisruptionBudget',
      'Service',
    ]);
    expect(example.resources.map((path) => join(EXAMPLE, path))).toEqual([BASE]);
    expect(example.images?.map(({ name }) => `image: ${name}:`)).toEqual([
      expect.toSatisfy((image: string) => text.includes(image)),
    ]);
  });

  it('generates the ConfigMap and the Secret that the Deployment reads', () => {
    const read = [...text.matchAll(/- (configMap|secret)Ref: \{ name: (\S+) \}/g)].map((match) =>
      match.slice(1, 3),
    );
    expect(read).toEqual([
      ['configMap', base.configMapGenerator[0]?.name],
      ['secret', example.secretGenerator?.[0]?.name],
    ]);
    expect(example.configMapGenerator).toEqual([
      expect.objectContaining({ name: base.configMapGenerator[0]?.name, behavior: 'merge' }),
    ]);
    const names = literalsOf(base).map(([name]) => name);
    expect(literalsOf(example).filter(([name]) => !names.includes(name))).toEqual([]);
  });

  it.each(['.gitignore', '.dockerignore'])('excludes the file of its secrets with %s', (file) => {
    const [name = ''] = example.secretGenerator?.[0]?.envs ?? [];
    expect(read(`${EXAMPLE}/kustomization.yaml`)).toContain(`cat > ${name}`);
    expect(read(file).split('\n')).toContain(file === '.gitignore' ? name : `**/${name}`);
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
    const secrets = {
      SESSION_SECRET: randomBytes(32).toString('hex'),
      ENCRYPTION_KEY: randomBytes(32).toString('hex'),
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: 'secret',
    };
    const values = { ...Object.fromEntries(literalsOf(base)), ...secrets };
    for (const env of [values, { ...values, ...Object.fromEntries(literalsOf(example)) }]) {
      const config = readConfig(env, () => {
        throw new Error('a secret of loopback is asked for');
      });
      expect(config).toMatchObject({ loopback: false, TRUST_PROXY: true, BLOBS_URL: { kind: 's3' } });
    }
  });
});

const COMPONENTS = 'docs/deploy/kubernetes/components';
const components = readdirSync(join(ROOT, COMPONENTS)).toSorted();
/** Each of them says where the encryption key is. */
const KEYS = ['key-file', 'kms', 'vault'];
const others = components.filter((name) => !KEYS.includes(name));
/** Each component, and all that go together with each place of the key. */
const COMBINATIONS = [
  ...components.map((name) => [name]),
  ...KEYS.map((key) => [key, ...others.filter((name) => name !== 'edge')]),
];
const hasKubectl = spawnSync('kubectl', ['kustomize', '--help']).status === 0;
const kubernetesApi = REAL_MODULES.filter(({ name }) => name === 'Kubernetes 1.37').map(findReal)[0] ?? null;

interface Built {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  spec?: { template?: { spec: { containers: { env?: { name: string; value?: string }[] }[] } } };
}

/** Builds the base with these components, as an overlay of an operator does. */
function buildWith(names: readonly string[]): Built[] {
  const folder = mkdtempSync(join(tmpdir(), 'kustomize-'));
  try {
    for (const each of ['base', 'components'])
      cpSync(join(ROOT, 'docs/deploy/kubernetes', each), join(folder, each), { recursive: true });
    mkdirSync(join(folder, 'own'));
    const own = {
      apiVersion: 'kustomize.config.k8s.io/v1beta1',
      kind: 'Kustomization',
      resources: ['../base'],
      components: names.map((name) => `../components/${name}`),
      secretGenerator: [{ name: 'tool-gateway', literals: ['POSTGRES_PASSWORD=00'] }],
    };
    writeFileSync(join(folder, 'own/kustomization.yaml'), JSON.stringify(own));
    const built = execFileSync('kubectl', ['kustomize', join(folder, 'own')], { encoding: 'utf8' });
    // Kustomize writes objects of this shape.
    return loadAll(built) as Built[];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe(COMPONENTS, () => {
  it.each(components)('%s sets only documented variables, and none twice', (name) => {
    const text = read(`${COMPONENTS}/${name}/kustomization.yaml`);
    const own = [...text.matchAll(/^(?: {6}- |.*\{ name: |.*- name: )([A-Z][A-Z0-9_]+)\b/gm)].map(
      ([, variable = '']) => variable,
    );
    expect(own.length).toBeGreaterThan(0);
    expect(new Set(own).size).toBe(own.length);
    const known = (variable: string) => {
      const secret = variable.replace(/_FILE$/, '');
      return documented.has(isSecretVariable(secret) ? secret : variable);
    };
    // The pod's own address and the password are parts of other variables.
    expect(own.filter((each) => !known(each) && !['POD_IP', 'POSTGRES_PASSWORD'].includes(each))).toEqual([]);
  });

  it('are all in the table of docs/deploy/README.md', () => {
    const rows = read('docs/deploy/README.md').matchAll(/^\| (`[a-z-]+`(?:, `[a-z-]+`)*) \|/gm);
    const named = [...rows].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name),
    );
    expect(new Set(named)).toEqual(new Set(components));
  });
});

describeWith(
  `${COMPONENTS} in Kustomize`,
  hasKubectl ? undefined : 'kubectl is not installed',
  () => {
    it.each(COMBINATIONS)('builds with %s and others, with settings that the gateway accepts', (...names) => {
      const built = buildWith(names);
      const map = built.find(({ kind }) => kind === 'ConfigMap')?.data ?? {};
      const [container] =
        built.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'tool-gateway')?.spec
          ?.template?.spec.containers ?? [];
      const order = (container?.env ?? []).map(({ name }) => name);
      // Kubernetes fills in only what stands above.
      for (const [at, { value = '' }] of (container?.env ?? []).entries())
        for (const [, used = ''] of value.matchAll(/\$\((\w+)\)/g))
          expect(order.slice(0, at)).toContain(used);
      const env = (container?.env ?? []).flatMap(({ name, value }) =>
        value === undefined || !documented.has(name)
          ? []
          : [[name, value.replace(/\$\((?:POD_IP|POSTGRES_PASSWORD)\)/, '10.0.0.7')] as const],
      );
      const secrets = {
        SESSION_SECRET: randomBytes(32).toString('hex'),
        ENCRYPTION_KEY: randomBytes(32).toString('hex'),
        S3_ACCESS_KEY_ID: 'id',
        S3_SECRET_ACCESS_KEY: 'secret',
        IDP_CLIENT_ID: 'id',
        IDP_CLIENT_SECRET: 'secret',
        AUDIT_SIGNING_KEY: randomBytes(32).toString('hex'),
        AWS_ACCESS_KEY_ID: 'id',
        AWS_SECRET_ACCESS_KEY: 'secret',
      };
      const files = Object.entries(map).filter(([name]) => name.endsWith('_FILE'));
      const settings = Object.entries(map).filter(([name]) => !name.endsWith('_FILE'));
      for (const [, path] of files) expect(path).toMatch(/^\/run\/secrets\/tool-gateway\//);
      const config = readConfig({ ...secrets, ...Object.fromEntries([...settings, ...env]) }, () => {
        throw new Error('a secret of loopback is asked for');
      });
      expect(config.loopback).toBe(false);
    });
  },
  { excuse: process.env['WITHOUT_KUBECTL'] },
);

interface Definition {
  type?: string;
  properties?: Record<string, unknown>;
  'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string }[];
}

/** Returns what Kubernetes' own description refuses in an object, with every unknown field. */
function createApiCheck(path: string): (object: Built) => unknown[] {
  // The description has this shape.
  const { definitions } = JSON.parse(readReal(path)) as { definitions: Record<string, Definition> };
  const strict = Object.fromEntries(
    Object.entries(definitions).map(([name, definition]) => [
      name,
      /\.(?:IntOrString|Quantity)$/.test(name)
        ? { type: ['string', 'number'] }
        : { ...definition, ...(definition.properties !== undefined && { additionalProperties: false }) },
    ]),
  );
  return (object) => {
    const [version = '', group = ''] = object.apiVersion.split('/').toReversed();
    const name = Object.entries(definitions).find(([, definition]) =>
      definition['x-kubernetes-group-version-kind']?.some(
        (each) => each.group === group && each.version === version && each.kind === object.kind,
      ),
    )?.[0];
    if (name === undefined) return [`${object.apiVersion} has no ${object.kind}`];
    const schema = { definitions: strict, $ref: `#/definitions/${name}` };
    return new Validator(schema, '7', false).validate(object).errors;
  };
}

describeWith(
  `${COMPONENTS} against the API of Kubernetes`,
  kubernetesApi === null
    ? 'npm run corpus:go has not run'
    : hasKubectl
      ? undefined
      : 'kubectl is not installed',
  () => {
    const check = createApiCheck(kubernetesApi ?? '');

    it.each(COMBINATIONS)('has only objects and fields that it knows with %s and others', (...names) => {
      const built = buildWith(names);
      expect(built.map(({ kind }) => kind)).toContain('Deployment');
      for (const object of built) expect(check(object), `${object.kind} ${object.metadata.name}`).toEqual([]);
    });

    it('would find a field that is misspelled, deep inside', () => {
      const [deployment] = buildWith([]).filter(({ kind }) => kind === 'Deployment');
      const text = JSON.stringify(deployment);
      // A copy of the same shape.
      const misspelled = JSON.parse(text.replace('"mountPath"', '"mountpath"')) as Built;
      expect(check(misspelled)).not.toEqual([]);
    });
  },
  { excuse: process.env['WITHOUT_KUBECTL'] },
);

describe('probes', () => {
  const probes = new Map(
    [...read(`${BASE}/gateway.yaml`).matchAll(/(\w+)Probe:\n +httpGet: \{ path: (\S+),/g)].map(
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
