// Tests the configuration: defaults, valid values and wrong ones. reference: Environment variables; decision: 009
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/config/config-error.ts';
import { type Env, misspeltVariables, readConfig } from '../../src/config/config.ts';

const HEX = '0123456789abcdef'.repeat(4);
const read = (env: Env = {}) => readConfig(env, () => HEX);
const PUBLIC = { SERVER_PUBLIC_URL: 'https://gate.example', SESSION_SECRET: HEX, ENCRYPTION_KEY: HEX };

function problemsOf(env: Env): string[] {
  try {
    read(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(({ name }) => name);
    throw error;
  }
  return [];
}

describe('default configuration', () => {
  it("needs no variable at all on a person's own machine", () => {
    expect(read()).toEqual({
      PORT: 3000,
      HOST: '127.0.0.1',
      WORKERS: 1,
      SERVER_PUBLIC_URL: 'http://localhost:3000',
      PORTAL_URL: 'http://localhost:3000',
      SESSION_SECRET: HEX,
      ENCRYPTION_KEY: HEX,
      AUDIT_SIGNING_KEY: HEX,
      CONNECT_TTL_SECONDS: 600,
      OAUTH_ACCESS_TOKEN_TTL_SECONDS: 3600,
      HOSTED_ISSUER_URL: 'https://accounts.google.com',
      IDP_EMAIL_TRUSTED: true,
      DATA_DIR: './data',
      DATABASE_URL: { kind: 'sqlite', path: './data/service.db' },
      PENDING_STORE: { kind: 'memory' },
      BLOBS_URL: { kind: 'fs', path: './data/blobs' },
      AUDIT_LOG_DEST: 'database',
      CALL_DETAILS: true,
      LOG_LEVEL: 'info',
      OAUTH_CONSENT: 'never',
      OAUTH_TRUSTED_HOSTS: [
        'https://claude.ai/api/mcp/auth_callback',
        'https://claude.com/api/mcp/auth_callback',
        'https://chatgpt.com/connector_platform_oauth_redirect',
        'cursor://anysphere.cursor-mcp/oauth/callback',
        'cursor://anysphere.cursor-retrieval/oauth/callback',
      ],
      OAUTH_CIMD: false,
      EVENTS_PREVIEW: false,
      MCP_ALLOWED_ORIGINS: [],
      MCP_SERVERS_MAX_PROCESSES: 50,
      MICROSOFT_TENANT: 'common',
      EGRESS_ALLOW: [],
      TRACE_UPSTREAM: [],
      UPSTREAM_MAP: [],
      telemetry: null,
      JOT_MAX_BYTES: 52_428_800,
      JOT_MAX_FILES: 2_000,
      JOT_MAX_UPLOAD_BYTES: 26_214_400,
      JOT_THUMBNAILS: true,
      APPROVAL_TTL_SECONDS: 3_600,
      OUTSIDE_MINUTES: 10,
      PERSON_MAX_CALLS: 1_000,
      SERVICE_KEY_MAX_ACTORS: 100_000,
      SERVICE_KEY_MAX_CALLS: 1_000,
      PERSON_MAX_PENDING: 20,
      PERSON_MAX_JOTS: 200,
      PERSON_MAX_JOT_BYTES: 2_147_483_648,
      PERSON_MAX_FILE_BYTES: 1024 ** 3,
      PERSON_MAX_RESULT_BYTES: 268_435_456,
      TRUST_PROXY: false,
      CONNECT_VIA: 'provider',
      CONNECT_CONFIRM: 'never',
      CHROMIUM_SANDBOX: true,
      SCRIPTS: true,
      FAST_PATH: true,
      loopback: true,
      clients: {},
    });
  });

  it('shows unknown clients before sign-in once the base is https, unless the operator decides otherwise', () => {
    expect(read(PUBLIC)).toMatchObject({ OAUTH_CONSENT: 'untrusted', OAUTH_CIMD: true });
    const said = { OAUTH_CONSENT: 'never', OAUTH_CIMD: 'off' };
    expect(read({ ...PUBLIC, ...said })).toMatchObject({ OAUTH_CONSENT: 'never', OAUTH_CIMD: false });
  });

  it('follows PORT, SERVER_PUBLIC_URL, DATA_DIR and DATABASE_URL', () => {
    expect(read({ PORT: '8080' })).toMatchObject({ SERVER_PUBLIC_URL: 'http://localhost:8080' });
    expect(read(PUBLIC)).toMatchObject({ PORTAL_URL: 'https://gate.example', loopback: false });
    expect(read({ DATA_DIR: '/var/x' })).toMatchObject({
      DATABASE_URL: { path: '/var/x/service.db' },
      BLOBS_URL: { path: '/var/x/blobs' },
    });
    expect(read({ DATABASE_URL: 'postgres://u@h/d' })).toMatchObject({ PENDING_STORE: { kind: 'database' } });
  });

  it.each(['2', 'auto'])('keeps pending connections where all of %s WORKERS see them', (WORKERS) => {
    expect(read({ WORKERS })).toMatchObject({ PENDING_STORE: { kind: 'database' } });
    expect(() => read({ WORKERS, PENDING_STORE: 'memory' })).toThrow(
      'PENDING_STORE must be database or redis://<host>:<port> with several WORKERS',
    );
    expect(read({ WORKERS: '1', PENDING_STORE: 'memory' })).toMatchObject({ WORKERS: 1 });
  });

  it.each([
    [{}, '127.0.0.1'],
    [{ SERVER_PUBLIC_URL: 'http://gate.localhost:3000' }, '127.0.0.1'],
    [{ SERVER_PUBLIC_URL: 'http://127.0.0.1.localhost:3000' }, '127.0.0.1'],
    [{ SERVER_PUBLIC_URL: 'http://127.0.0.5:3000' }, '127.0.0.5'],
    [{ SERVER_PUBLIC_URL: 'http://[::1]:3000' }, '::1'],
    [{ HOST: '0.0.0.0' }, '0.0.0.0'],
    [PUBLIC, '::'],
    [{ ...PUBLIC, HOST: '127.0.0.1' }, '127.0.0.1'],
  ])('listens on loopback when the base is loopback, unless HOST says otherwise: %j', (env, host) => {
    expect(read(env).HOST).toBe(host);
  });

  it.each(['localhost', 'my-laptop', 'x86_64-conda-linux-gnu', '*', '127.0.0.1:3000', '[::1]'])(
    'refuses the HOST %s, which is no address',
    (HOST) => {
      expect(problemsOf({ HOST })).toEqual(['HOST']);
    },
  );

  it('treats an empty variable as absent, and drops a trailing slash', () => {
    expect(read({ PORT: '', SESSION_SECRET: '', SERVER_PUBLIC_URL: 'http://127.0.0.1:9/' })).toMatchObject({
      PORT: 3000,
      SERVER_PUBLIC_URL: 'http://127.0.0.1:9',
    });
  });

  it('asks before it connects an unbound flow once the base is https, unless the operator decides otherwise', () => {
    expect(read(PUBLIC)).toMatchObject({ CONNECT_CONFIRM: 'unbound' });
    expect(read({ ...PUBLIC, CONNECT_CONFIRM: 'never' })).toMatchObject({ CONNECT_CONFIRM: 'never' });
    expect(read({ CONNECT_CONFIRM: 'unbound' })).toMatchObject({ CONNECT_CONFIRM: 'unbound' });
  });
});

describe('the variables of OpenTelemetry', () => {
  const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/' };

  it.each([{}, { ...ENDPOINT, OTEL_SDK_DISABLED: 'true' }, { OTEL_SERVICE_NAME: 'gateway' }])(
    'export nothing with %j',
    (env) => {
      expect(read(env).telemetry).toBeNull();
    },
  );

  it('have the defaults of the specification', () => {
    const target = { headers: {}, protocol: 'http/protobuf', timeoutMs: 10_000 };
    expect(read(ENDPOINT).telemetry).toEqual({
      traces: { ...target, url: 'http://127.0.0.1:4318/v1/traces' },
      metrics: { ...target, url: 'http://127.0.0.1:4318/v1/metrics' },
      resource: { 'service.name': 'tool-gateway' },
      sampling: { followsParent: true, ratio: 1 },
      queue: { delayMs: 5_000, maxSpans: 2_048, batchSpans: 512 },
      metricIntervalMs: 60_000,
    });
  });

  it('can say for one kind of data what they say for both', () => {
    const env = {
      ...ENDPOINT,
      OTEL_EXPORTER_OTLP_HEADERS: 'a=1',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/in?key=1',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'authorization=Bearer%20t',
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: '500',
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
    };
    expect(read(env).telemetry).toMatchObject({
      traces: {
        url: 'https://traces.example/in?key=1',
        headers: { authorization: 'Bearer t' },
        protocol: 'http/json',
        timeoutMs: 500,
      },
      metrics: null,
      sampling: { followsParent: false, ratio: 0.25 },
    });
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization'],
    ['OTEL_EXPORTER_OTLP_TIMEOUT', '10s'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'a=%'],
    ['OTEL_TRACES_SAMPLER', 'sometimes'],
    ['OTEL_TRACES_SAMPLER_ARG', '0.5'],
    ['OTEL_TRACES_EXPORTER', 'zipkin'],
    ['OTEL_BSP_MAX_EXPORT_BATCH_SIZE', '4096'],
    ['OTEL_METRIC_EXPORT_INTERVAL', '0'],
    ['TRACE_UPSTREAM', 'git hub'],
  ])('end the start with a sentence for %s=%s', (name, value) => {
    expect(problemsOf({ ...ENDPOINT, [name]: value })).toEqual([name]);
  });

  it('say that TRACE_UPSTREAM has no use without traces', () => {
    expect(problemsOf({ TRACE_UPSTREAM: 'on' })).toEqual(['TRACE_UPSTREAM']);
    expect(read({ ...ENDPOINT, TRACE_UPSTREAM: 'on' }).TRACE_UPSTREAM).toBe('all');
    expect(read({ ...ENDPOINT, TRACE_UPSTREAM: 'off' }).TRACE_UPSTREAM).toEqual([]);
    expect(read({ ...ENDPOINT, TRACE_UPSTREAM: 'github, imported' }).TRACE_UPSTREAM).toEqual([
      'github',
      'imported',
    ]);
  });
});

describe('a line break at the end of a value, as files and secret stores add it', () => {
  it('is removed', () => {
    const env = { HOSTED_CLIENT_ID: 'id', HOSTED_CLIENT_SECRET: 'secret', METRICS_TOKEN: 'token' };
    const lines = {
      ...env,
      PORT: '8080',
      ENCRYPTION_KEY: HEX,
      GITHUB_CLIENT_ID: 'a',
      GITHUB_CLIENT_SECRET: 'b',
    };
    const given = Object.fromEntries(Object.entries(lines).map(([name, value]) => [name, `${value}\n`]));
    expect(read({ ...given, IDP_CLIENT_ID: '\n' })).toMatchObject({
      ...env,
      PORT: 8080,
      ENCRYPTION_KEY: HEX,
      clients: { github: { clientId: 'a', clientSecret: 'b' } },
    });
    expect(read({ IDP_CLIENT_ID: '\n' }).IDP_CLIENT_ID).toBeUndefined();
  });

  it('stays part of SESSION_SECRET, whose exact bytes sign', () => {
    expect(read({ SESSION_SECRET: `${HEX}\n` }).SESSION_SECRET).toBe(`${HEX}\n`);
  });
});

describe('SIGN_IN_ALLOW', () => {
  it('is a list of domains and addresses in lower case, or * for everybody', () => {
    expect(read({ SIGN_IN_ALLOW: ' Example.com, Ann+x@X.org,"a@b"@x.org, owner@localhost' })).toMatchObject({
      SIGN_IN_ALLOW: ['example.com', 'ann+x@x.org', '"a@b"@x.org', 'owner@localhost'],
    });
    expect(read({ SIGN_IN_ALLOW: '*' }).SIGN_IN_ALLOW).toBe('*');
    expect(read({ SIGN_IN_ALLOW: '' }).SIGN_IN_ALLOW).toBeUndefined();
  });

  it('says what is right when an entry is wrong', () => {
    expect(() => read({ SIGN_IN_ALLOW: '*.example.com' })).toThrow(
      /SIGN_IN_ALLOW.* must be a list of e-mail domains and addresses such as example\.com, ann@x\.org/,
    );
  });
});

describe('an encryption key elsewhere', () => {
  it.each([
    ['vault:transit/gateway', { service: 'vault', mount: 'transit', key: 'gateway' }],
    ['vault:team/transit/my-key#2', { service: 'vault', mount: 'team/transit', key: 'my-key' }],
    ['awskms:alias/gateway', { service: 'awskms', keyId: 'alias/gateway' }],
    [
      'awskms:arn:aws:kms:eu-west-1:1:key/a-b#3',
      { service: 'awskms', keyId: 'arn:aws:kms:eu-west-1:1:key/a-b' },
    ],
  ])('is read: %s', (source, key) => {
    const vault = { VAULT_ADDR: 'https://vault.example', VAULT_TOKEN: 't' };
    const aws = { AWS_REGION: 'eu-west-1', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
    const { ENCRYPTION_KEY } = read({ ENCRYPTION_KEY: source, ...vault, ...aws });
    expect(ENCRYPTION_KEY).toEqual({ source, ...key });
  });

  it('requires an address and one way to prove who asks', () => {
    const ENCRYPTION_KEY = 'vault:transit/gateway';
    const VAULT_ADDR = 'http://vault:8200';
    expect(problemsOf({ ENCRYPTION_KEY })).toEqual(['VAULT_ADDR', 'VAULT_TOKEN']);
    expect(problemsOf({ ENCRYPTION_KEY_PREVIOUS: ENCRYPTION_KEY })).toEqual(['VAULT_ADDR', 'VAULT_TOKEN']);
    expect(problemsOf({ ENCRYPTION_KEY, VAULT_ADDR, VAULT_ROLE_ID: 'r' })).toEqual(['VAULT_TOKEN']);
    expect(problemsOf({ ENCRYPTION_KEY, VAULT_ADDR, VAULT_ROLE_ID: 'r', VAULT_SECRET_ID: 's' })).toEqual([]);
    expect(problemsOf({ ENCRYPTION_KEY, VAULT_ADDR, VAULT_KUBERNETES_ROLE: 'r' })).toEqual([]);
    const arn = 'awskms:arn:aws:kms:eu-west-1:1:key/a';
    expect(problemsOf({ ENCRYPTION_KEY: arn })).toEqual(['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']);
  });

  it.each(['vault:gateway', 'vault:transit/', 'vault:../sys/seal', 'awskms:', 'awskms:a b', 'gcpkms:x'])(
    'refuses %s',
    (ENCRYPTION_KEY) => {
      expect(problemsOf({ ENCRYPTION_KEY })).toEqual(['ENCRYPTION_KEY']);
    },
  );
});

describe('a browser elsewhere', () => {
  it('requires the address of the proxy unless it is on loopback', () => {
    const BROWSER_PROXY_URL = 'http://gateway:3128';
    expect(problemsOf({ BROWSER_URL: 'http://127.0.0.1:9222' })).toEqual([]);
    expect(problemsOf({ BROWSER_URL: 'wss://browsers.example/?token=t' })).toEqual(['BROWSER_PROXY_URL']);
    expect(problemsOf({ BROWSER_URL: 'http://browser:9222', BROWSER_PROXY_URL })).toEqual([]);
    expect(problemsOf({ BROWSER_PROXY_URL })).toEqual(['BROWSER_PROXY_URL']);
    expect(problemsOf({ BROWSER_URL: 'http://browser:9222', BROWSER_PROXY_URL: 'https://gateway' })).toEqual([
      'BROWSER_PROXY_URL',
    ]);
    expect(problemsOf({ BROWSER_URL: 'browser:9222', BROWSER_PROXY_URL })).toEqual(['BROWSER_URL']);
  });
});

describe('a bucket for blobs', () => {
  const BLOBS_URL = 's3://my-bucket?endpoint=https://s3.example.com/&region=eu-central-1';

  it('is read with its endpoint and region', () => {
    const keys = { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' };
    expect(read({ BLOBS_URL, ...keys })).toMatchObject({
      BLOBS_URL: {
        kind: 's3',
        bucket: 'my-bucket',
        endpoint: 'https://s3.example.com',
        region: 'eu-central-1',
      },
      ...keys,
    });
  });

  it('requires its credentials', () => {
    expect(problemsOf({ BLOBS_URL })).toEqual(['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']);
  });
});

describe('private hosts that are allowed', () => {
  it('can be hosts, addresses and ranges', () => {
    const places = [
      'gitlab.corp',
      'my_host',
      'a-b.c1',
      'x',
      '3-d-x-9',
      'GitLab.Corp',
      '10.1.2.3',
      '10.0.0.0/8',
      'fd00::1',
      'fd00::/8',
    ];
    expect(read({ EGRESS_ALLOW: places.join(', ') }).EGRESS_ALLOW).toEqual(places);
  });
});

describe('secrets', () => {
  it.each(['http://localhost:3000', 'http://127.100.20.3', 'http://[::1]:5', 'http://gate.localhost'])(
    'are created on loopback: %s',
    (url) => {
      expect(read({ SERVER_PUBLIC_URL: url })).toMatchObject({
        loopback: true,
        SESSION_SECRET: HEX,
        ENCRYPTION_KEY: HEX,
      });
    },
  );

  it.each(['https://gate.example', 'http://10.0.0.1', 'http://127.0.0.1.example', 'http://0.0.0.0:3000'])(
    'are required everywhere else: %s',
    (url) => {
      expect(problemsOf({ SERVER_PUBLIC_URL: url })).toEqual(['SESSION_SECRET', 'ENCRYPTION_KEY']);
      expect(() => read({ SERVER_PUBLIC_URL: url })).toThrow(/SESSION_SECRET must be set to .*random/);
    },
  );

  it('are not asked for while another value is wrong', () => {
    const ask = () => {
      throw new Error('asked');
    };
    expect(() => readConfig({ PORT: 'x' }, ask)).toThrow(ConfigError);
  });

  it.each(['x', 'z'.repeat(64), HEX.slice(1), `${HEX}0`])(
    'include an ENCRYPTION_KEY of 64 hex characters, not %s',
    (key) => {
      expect(problemsOf({ ENCRYPTION_KEY: key })).toEqual(['ENCRYPTION_KEY']);
      expect(problemsOf({ ...PUBLIC, ENCRYPTION_KEY: key })).toEqual(['ENCRYPTION_KEY']);
      expect(problemsOf({ ENCRYPTION_KEY_PREVIOUS: key })).toEqual(['ENCRYPTION_KEY_PREVIOUS']);
    },
  );

  it.each([
    ['ENCRYPTION_KEY', '0'.repeat(64), '01234'.padEnd(64, '0'), '012345'.padEnd(64, '0')],
    ['SESSION_SECRET', 'short', 'x'.repeat(31), 'x'.repeat(32)],
  ])('must be strong everywhere but on loopback: %s', (name, weak, weakest, strong) => {
    for (const value of [weak, weakest]) {
      expect(problemsOf({ ...PUBLIC, [name]: value })).toEqual([name]);
      expect(() => read({ ...PUBLIC, [name]: value }), name).toThrow(/must be .*random/);
      expect(read({ [name]: value }), name).toMatchObject({ [name]: value });
    }
    expect(problemsOf({ ...PUBLIC, [name]: strong })).toEqual([]);
  });

  it('are not stronger for using two cases', () => {
    expect(problemsOf({ ...PUBLIC, ENCRYPTION_KEY: 'aAbBcCdD'.repeat(8) })).toEqual(['ENCRYPTION_KEY']);
  });

  it('may replace a weak key: the previous one may be any', () => {
    expect(problemsOf({ ...PUBLIC, ENCRYPTION_KEY_PREVIOUS: '0'.repeat(64) })).toEqual([]);
  });
});

describe('trusted hosts', () => {
  it('are hosts, with or without a port, and schemes, in any case', () => {
    const OAUTH_TRUSTED_HOSTS =
      'Claude.ai, app_1.example-2.com:65535,[2001:db8::1]:1,Raycast:,com.example.app:,web+a-1:,x:';
    expect(read({ OAUTH_TRUSTED_HOSTS }).OAUTH_TRUSTED_HOSTS).toEqual([
      'claude.ai',
      'app_1.example-2.com:65535',
      '[2001:db8::1]:1',
      'raycast:',
      'com.example.app:',
      'web+a-1:',
      'x:',
    ]);
  });

  it('may also be addresses, which keep their case', () => {
    const OAUTH_TRUSTED_HOSTS =
      'https://app.example.com/Callback?A=b, com.example.app:/cb,https://[2001:db8::1]:8443/,cursor://a.B/C';
    expect(read({ OAUTH_TRUSTED_HOSTS }).OAUTH_TRUSTED_HOSTS).toEqual([
      'https://app.example.com/Callback?A=b',
      'com.example.app:/cb',
      'https://[2001:db8::1]:8443/',
      'cursor://a.B/C',
    ]);
  });
});

describe('groups of the idp', () => {
  const IDP = { IDP_ISSUER_URL: 'https://idp.example', IDP_CLIENT_ID: 'id', IDP_CLIENT_SECRET: 'secret' };

  it('are read as lists of names', () => {
    const given = { IDP_ADMIN_GROUP: ' /ops , Gateway Admins', IDP_MEMBER_GROUP: 'staff' };
    expect(read({ ...IDP, ...given, IDP_GROUPS_CLAIM: 'realm_access.roles' })).toMatchObject({
      IDP_ADMIN_GROUP: ['/ops', 'Gateway Admins'],
      IDP_MEMBER_GROUP: ['staff'],
      IDP_GROUPS_CLAIM: 'realm_access.roles',
    });
  });

  it.each(['IDP_ADMIN_GROUP', 'IDP_MEMBER_GROUP', 'IDP_GROUPS_CLAIM'])(
    'have no use without the idp: %s',
    (name) => {
      expect(problemsOf({ [name]: 'x' })).toEqual([name]);
      const { IDP_CLIENT_SECRET: _, ...half } = IDP;
      expect(() => read({ ...half, [name]: 'x' })).toThrow(
        `${name} counts at the idp only: set IDP_CLIENT_SECRET too`,
      );
    },
  );

  it('may be noted only, and are spelled', () => {
    expect(problemsOf({ ...IDP, IDP_GROUPS_CLAIM: 'roles' })).toEqual([]);
    expect(problemsOf({ HOSTED_GROUPS_CLAIM: 'roles' })).toEqual(['HOSTED_GROUPS_CLAIM']);
    expect(problemsOf({ ...IDP, IDP_ADMIN_GROUP: ' , ' })).toEqual(['IDP_ADMIN_GROUP']);
  });
});

describe('valid values', () => {
  const S3 = 's3://my-bucket?endpoint=https://s3.example.com:9000';

  it.each<[name: string, text: string, value: unknown]>([
    ['PORT', '1', 1],
    ['PORT', '65535', 65_535],
    ['SERVER_PUBLIC_URL', 'http://localhost:3000//', 'http://localhost:3000'],
    ['PORTAL_URL', 'https://portal.example/app/', 'https://portal.example/app'],
    ['CONNECT_TTL_SECONDS', '1', 1],
    ['CONNECT_TTL_SECONDS', '86400', 86_400],
    ['OAUTH_ACCESS_TOKEN_TTL_SECONDS', '1', 1],
    ['OAUTH_ACCESS_TOKEN_TTL_SECONDS', '86400', 86_400],
    ['ENCRYPTION_KEY', HEX.toUpperCase(), HEX],
    ['IDP_ISSUER_URL', 'https://idp.example/realms/a/', 'https://idp.example/realms/a/'],
    ['IDP_ISSUER_URL', 'http://127.0.0.1:8080/realms/a', 'http://127.0.0.1:8080/realms/a'],
    ['DATABASE_URL', 'sqlite:/var/x.db', { kind: 'sqlite', path: '/var/x.db' }],
    ['DATABASE_URL', 'postgres://u@h/d', { kind: 'postgres', url: 'postgres://u@h/d' }],
    ['DATABASE_URL', 'postgresql://u@h/d', { kind: 'postgres', url: 'postgresql://u@h/d' }],
    ['PENDING_STORE', 'memory', { kind: 'memory' }],
    ['WORKERS', '1', 1],
    ['WORKERS', '256', 256],
    ['WORKERS', 'auto', 'auto'],
    ['PENDING_STORE', 'database', { kind: 'database' }],
    ['PENDING_STORE', 'redis://h:6379', { kind: 'redis', url: 'redis://h:6379' }],
    ['PENDING_STORE', 'rediss://h:6379', { kind: 'redis', url: 'rediss://h:6379' }],
    ...['3.a', 'a'.repeat(63)].map((bucket): [string, string, unknown] => [
      'BLOBS_URL',
      `s3://${bucket}/?region=r&endpoint=http://s3.test`,
      { kind: 's3', bucket, endpoint: 'http://s3.test', region: 'r' },
    ]),
    ['BLOBS_URL', 'fs:/var/b', { kind: 'fs', path: '/var/b' }],
    [
      'BLOBS_URL',
      S3,
      { kind: 's3', bucket: 'my-bucket', endpoint: 'https://s3.example.com:9000', region: 'us-east-1' },
    ],
    ['AUDIT_LOG_DEST', 'stdout', 'stdout'],
    ['AUDIT_LOG_DEST', 'none', 'none'],
    ['CALL_DETAILS', 'off', false],
    ['OAUTH_CONSENT', 'always', 'always'],
    ['OAUTH_CONSENT', 'untrusted', 'untrusted'],
    ['CONNECT_VIA', 'portal', 'portal'],
    ['CONNECT_VIA', 'provider', 'provider'],
    ['CONNECT_CONFIRM', 'unbound', 'unbound'],
    ['IDP_CLIENT_ID', 'id', 'id'],
    ['IDP_CLIENT_SECRET', 'secret', 'secret'],
    ['CHROMIUM_PATH', '/usr/bin/chromium', '/usr/bin/chromium'],
    ['NODE_ORIGIN', 'http://node.internal:3000/', 'http://node.internal:3000'],
    ...['true', 'on', '1'].map((text) => ['TRUST_PROXY', text, true] as [string, string, boolean]),
    ...['false', 'off', '0'].map((text) => ['CHROMIUM_SANDBOX', text, false] as [string, string, boolean]),
    ['SCRIPTS', 'off', false],
    ['FAST_PATH', 'off', false],
    ['MCP_ALLOWED_ORIGINS', 'web+x-1.y://a_1-b.C', ['web+x-1.y://a_1-b.C']],
    ['MCP_ALLOWED_ORIGINS', 'a://b', ['a://b']],
    ['MCP_ALLOWED_ORIGINS', ' https://a.example/x , app://b,', ['https://a.example', 'app://b']],
    [
      'UPSTREAM_MAP',
      'https://a.example=http://b.test:9, http://c.test = http://d.test',
      [
        { from: 'https://a.example', to: 'http://b.test:9' },
        { from: 'http://c.test', to: 'http://d.test' },
      ],
    ],
    ['JOTS_ORIGIN', 'https://jots.example.com/', 'https://jots.example.com'],
    ['JOT_MAX_BYTES', '1', 1],
    ['JOT_MAX_FILES', '1', 1],
    ['JOT_MAX_UPLOAD_BYTES', '1', 1],
    ['JOT_MAX_BYTES', '1099511627776', 2 ** 40],
    ['JOT_MAX_UPLOAD_BYTES', '1099511627776', 2 ** 40],
    ['JOT_MAX_FILES', '100000', 100_000],
    ['PERSON_MAX_CALLS', '1', 1],
    ['PERSON_CALLS_PER_MINUTE', '600', 600],
    ['PERSON_MAX_PENDING', '1000', 1_000],
    ['SERVICE_KEY_MAX_ACTORS', '5', 5],
    ['SERVICE_KEY_MAX_CALLS', '5', 5],
    ['PERSON_MAX_JOTS', '1000000', 1_000_000],
    ['PERSON_MAX_RESULT_BYTES', '1', 1],
    ['PERSON_MAX_JOT_BYTES', '1125899906842624', 2 ** 50],
  ])('are read: %s=%s is %j', (name, text, value) => {
    const keys = { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' };
    expect(read({ ...keys, [name]: text })).toMatchObject({ [name]: value });
  });
});

describe('an origin for jots', () => {
  const place = (base: string, portal: string, jots: string) =>
    problemsOf({ ...PUBLIC, SERVER_PUBLIC_URL: base, PORTAL_URL: portal, JOTS_ORIGIN: jots });

  it('must be on another host than the gateway and the portal', () => {
    const [base, portal] = ['https://gate.example', 'https://portal.example/app'];
    expect(place(base, portal, 'https://jots.example')).toEqual([]);
    for (const taken of [
      base,
      'https://gate.example:8443',
      'https://portal.example',
      'http://portal.example',
    ])
      expect(place(base, portal, taken)).toEqual(['JOTS_ORIGIN']);
  });

  it('may be another port on loopback', () => {
    expect(problemsOf({ JOTS_ORIGIN: 'http://localhost:3001' })).toEqual([]);
    expect(problemsOf({ JOTS_ORIGIN: 'http://localhost:3000' })).toEqual(['JOTS_ORIGIN']);
    expect(problemsOf({ PORT: '3001', JOTS_ORIGIN: 'http://localhost:3000' })).toEqual([]);
    expect(problemsOf({ PORT: '3001', JOTS_ORIGIN: 'http://localhost:3001' })).toEqual(['JOTS_ORIGIN']);
  });
});

describe('wrong values', () => {
  it.each([
    ['PORT', '0'],
    ['PORT', '65536'],
    ['PORT', '80.5'],
    ['PORT', 'http'],
    ['SERVER_PUBLIC_URL', 'gate.example'],
    ['SERVER_PUBLIC_URL', 'ftp://gate.example'],
    ['SERVER_PUBLIC_URL', 'https://gate.example?x=1'],
    ['SERVER_PUBLIC_URL', 'http://localhost#x'],
    ['SERVER_PUBLIC_URL', 'https://user:pass@gate.example'],
    ['SERVER_PUBLIC_URL', 'http://localhost:3000/gate'],
    ['PORTAL_URL', 'portal'],
    ['CONNECT_TTL_SECONDS', '0'],
    ['CONNECT_TTL_SECONDS', '86401'],
    ['OAUTH_ACCESS_TOKEN_TTL_SECONDS', '-1'],
    ['OAUTH_ACCESS_TOKEN_TTL_SECONDS', '0'],
    ['OAUTH_ACCESS_TOKEN_TTL_SECONDS', '86401'],
    ['IDP_ISSUER_URL', 'not a url'],
    ['IDP_ISSUER_URL', 'http://idp.example'],
    ['HOSTED_ISSUER_URL', 'http://idp.example'],
    ['SIGN_IN_ALLOW', 'example.com,*'],
    ['SIGN_IN_ALLOW', '@example.com'],
    ['SIGN_IN_ALLOW', '*.example.com'],
    ['SIGN_IN_ALLOW', 'example.com.'],
    ['SIGN_IN_ALLOW', 'ann'],
    ['SIGN_IN_ALLOW', 'ann@'],
    ['SIGN_IN_ALLOW', 'ann@x..org'],
    ['SIGN_IN_ALLOW', 'ann b@x.org'],
    ['SIGN_IN_ALLOW', 'https://example.com'],
    ['SIGN_IN_ALLOW', 'example.com;x.org'],
    ['SIGN_IN_ALLOW', '-x.org'],
    ['SIGN_IN_ALLOW', 'm\u00fcller.de'],
    ['SIGN_IN_ALLOW', 'example.\u212Aom'],
    ['SIGN_IN_ALLOW', ','],
    ['IDP_EMAIL_TRUSTED', 'sometimes'],
    ['DATA_DIR', '/proc/data'],
    ['DATABASE_URL', 'mysql://x'],
    ['DATABASE_URL', 'sqlite:'],
    ['DATABASE_URL', 'sqlite::memory:'],
    ['DATABASE_URL', 'sqlite:/proc/data/service.db'],
    ['DATABASE_URL', 'x-sqlite:x'],
    ['DATABASE_URL', 'x-postgres://h'],
    ['DATABASE_URL', 'postgres://h:port/d'],
    ['PENDING_STORE', 'disk'],
    ['WORKERS', '0'],
    ['WORKERS', '257'],
    ['WORKERS', 'all'],
    ['PENDING_STORE', 'http://h'],
    ['PENDING_STORE', 'x-redis://h'],
    ['PENDING_STORE', 'redis://h:port'],
    ['BLOBS_URL', 'x'],
    ['BLOBS_URL', 's3://bucket'],
    ['BLOBS_URL', 'fs:'],
    ['BLOBS_URL', 'fs:/proc/blobs'],
    ['BLOBS_URL', 'x-fs:/var'],
    ['BLOBS_URL', 's3://bucket?region=eu'],
    ['BLOBS_URL', 'x-s3://bucket?endpoint=https://s3.example.com'],
    ['BLOBS_URL', `s3://${'a'.repeat(64)}?endpoint=https://s3.example.com`],
    ['BLOBS_URL', 's3://b?endpoint=https://s3.example.com'],
    ['BLOBS_URL', 's3://bucket?endpoint=nowhere'],
    ['BLOBS_URL', 's3://Bad_Bucket?endpoint=https://s3.example.com'],
    ['JOTS_ORIGIN', 'https://jots.example.com/path'],
    ['JOTS_ORIGIN', 'jots.example.com'],
    ['JOT_MAX_BYTES', '0'],
    ['JOT_MAX_BYTES', '1099511627777'],
    ['JOT_MAX_FILES', 'many'],
    ['JOT_MAX_FILES', '0'],
    ['JOT_MAX_FILES', '100001'],
    ['JOT_MAX_UPLOAD_BYTES', '1.5'],
    ['JOT_MAX_UPLOAD_BYTES', '0'],
    ['JOT_MAX_UPLOAD_BYTES', '1099511627777'],
    ['PERSON_MAX_CALLS', '0'],
    ['PERSON_CALLS_PER_MINUTE', '0'],
    ['PERSON_CALLS_PER_MINUTE', 'off'],
    ['PERSON_MAX_PENDING', '1001'],
    ['PERSON_MAX_JOTS', '-1'],
    ['PERSON_MAX_RESULT_BYTES', '0'],
    ['PERSON_MAX_JOT_BYTES', '2GiB'],
    ['AUDIT_LOG_DEST', 'file'],
    ['OAUTH_CONSENT', 'maybe'],
    ['OAUTH_CIMD', 'maybe'],
    ['OAUTH_TRUSTED_HOSTS', 'claude.ai,https://app.example.com'],
    ['OAUTH_TRUSTED_HOSTS', '*.example.com'],
    ['OAUTH_TRUSTED_HOSTS', 'a.example:100000'],
    ['OAUTH_TRUSTED_HOSTS', '[]'],
    ['OAUTH_TRUSTED_HOSTS', ':1'],
    ['OAUTH_TRUSTED_HOSTS', 'cursor://anysphere.cursor-mcp'],
    ['OAUTH_TRUSTED_HOSTS', 'https://App.example.com/callback'],
    ['OAUTH_TRUSTED_HOSTS', 'https://app.example.com:443/callback'],
    ['OAUTH_TRUSTED_HOSTS', 'https://a@app.example.com/callback'],
    ['OAUTH_TRUSTED_HOSTS', 'https://app.example.com/a/../callback'],
    ['OAUTH_TRUSTED_HOSTS', 'https://app.example.com/callback#x'],
    ['OAUTH_TRUSTED_HOSTS', 'app.example.com/callback'],
    ['MCP_ALLOWED_ORIGINS', 'example.com'],
    ['MCP_ALLOWED_ORIGINS', 'https://app.example, *'],
    ['MCP_ALLOWED_ORIGINS', 'app://'],
    ['MCP_ALLOWED_ORIGINS', 'app://a/b'],
    ['MCP_ALLOWED_ORIGINS', '1app://a'],
    ['MCP_ALLOWED_ORIGINS', 'null'],
    ['MCP_ALLOWED_ORIGINS', 'http://'],
    ['EGRESS_ALLOW', 'https://gitlab.corp'],
    ['EGRESS_ALLOW', 'gitlab.corp:8443'],
    ['EGRESS_ALLOW', '*.corp'],
    ['EGRESS_ALLOW', 'gitlab..corp'],
    ['EGRESS_ALLOW', '10/8'],
    ['EGRESS_ALLOW', '10.0.0.0/33'],
    ['EGRESS_ALLOW', '10.0.0.0/'],
    ['EGRESS_ALLOW', 'gitlab.corp, fd00::/'],
    ['UPSTREAM_MAP', 'https://api.github.com'],
    ['UPSTREAM_MAP', '=http://a.test'],
    ['UPSTREAM_MAP', 'http://a.test='],
    ['UPSTREAM_MAP', 'https://api.github.com=http://a.test=http://b.test'],
    ['TRUST_PROXY', 'yes please'],
    ['CONNECT_VIA', 'mail'],
    ['CONNECT_CONFIRM', 'always'],
  ])('are named with what would be right: %s=%s', (name, value) => {
    expect(problemsOf({ [name]: value })).toEqual([name]);
    expect(() => read({ [name]: value })).toThrow(/must be/);
  });

  it('are all named in one message', () => {
    const env = {
      PORT: 'x',
      DATABASE_URL: 'mysql://x',
      AUDIT_LOG_DEST: 'file',
      GITHUB_CLIENT_ID: 'a',
      GITHUB_INSTANCES: '{',
      BLOBS_URL: 's3://jots?endpoint=https://s3.example.com',
      S3_ACCESS_KEY_ID: 'a',
      PORTAL_URL: 'https://portal.example.com/app',
      JOTS_ORIGIN: 'https://portal.example.com',
    };
    expect(problemsOf(env).toSorted()).toEqual([
      'AUDIT_LOG_DEST',
      'DATABASE_URL',
      'GITHUB_INSTANCES',
      'JOTS_ORIGIN',
      'PORT',
      'S3_SECRET_ACCESS_KEY',
    ]);
    expect(() => read(env)).toThrow(/6 problems:\n(?: {2}\S+ must be .*\n?){6}/);
  });

  it('can be a single one', () => {
    expect(() => read({ PORT: 'x' })).toThrow(
      /^The configuration has a problem:\n {2}PORT must be a whole number from 1 to 65535$/,
    );
  });

  it('are answered with the list of choices', () => {
    expect(() => read({ AUDIT_LOG_DEST: 'file' })).toThrow(/database, stdout, none/);
  });

  it('are never repeated, because they may be secrets', () => {
    expect(() => read({ ENCRYPTION_KEY: 'hunter2' })).not.toThrow(/hunter2/);
    expect(() => read({ ENCRYPTION_KEY: 'hunter2' })).toThrow(ConfigError);
  });
});

describe('OAuth clients of integrations', () => {
  it('are read by name, with their instances', () => {
    const instances = { 'https://git.corp.example': { clientId: 'b', clientSecret: 'c' } };
    const { clients } = read({
      GITLAB_CLIENT_ID: 'a',
      GITLAB_CLIENT_SECRET: 's',
      GITLAB_INSTANCES: JSON.stringify(instances),
      HOSTED_CLIENT_ID: 'x',
      IDP_CLIENT_ID: 'x',
      MY_APP2_CLIENT_ID: 'y',
      X_CLIENT_ID: 'z',
      my_CLIENT_ID: 'x',
      SENTRY_CLIENT_ID_OLD: 'x',
    });
    expect(clients).toEqual({
      gitlab: { clientId: 'a', clientSecret: 's', instances },
      my_app2: { clientId: 'y', instances: {} },
      x: { clientId: 'z', instances: {} },
    });
  });

  it.each([
    '{',
    '[]',
    '{"x":{"clientId":"a"}}',
    '{"https://a.example/path":{"clientId":"a"}}',
    '{"https://a.example":{}}',
    '{"https://a.example":{"clientId":""}}',
    '{"https://a.example":{"clientId":"a","clientSecret":""}}',
    '{"https://a.example":{"clientId":"a","secret":"b"}}',
    '{"https://a.example":{"clientId":"a"},"x":{"clientId":"a"}}',
  ])('refuses instances that do not map origins to clients: %s', (text) => {
    expect(problemsOf({ GITLAB_CLIENT_ID: 'a', GITLAB_INSTANCES: text })).toEqual(['GITLAB_INSTANCES']);
  });

  it.each([
    ['{"https://git.corp.example":{"clientId":"b"}}', ['GITLAB_CLIENT_ID']],
    ['{', ['GITLAB_CLIENT_ID', 'GITLAB_INSTANCES']],
    ['https://git.corp.example', ['GITLAB_CLIENT_ID', 'GITLAB_INSTANCES']],
    ['2x', ['GITLAB_CLIENT_ID', 'GITLAB_INSTANCES']],
    ['x2', ['GITLAB_CLIENT_ID', 'GITLAB_INSTANCES']],
  ])('names the client id that is missing beside instances: %s', (text, names) => {
    expect(problemsOf({ GITLAB_INSTANCES: text })).toEqual(names);
    expect(() => read({ GITLAB_INSTANCES: text })).toThrow(
      'GITLAB_CLIENT_ID must be set where GITLAB_INSTANCES is',
    );
  });

  it('ignores similar variables of other software', () => {
    expect(read({ SPARK_WORKER_INSTANCES: '12' }).clients).toEqual({});
  });
});

describe('a misspelt variable', () => {
  it.each([
    ['SESION_SECRET', 'SESSION_SECRET'],
    ['ENCRYPTON_KEY', 'ENCRYPTION_KEY'],
    ['ENCYRPTION_KEY', 'ENCRYPTION_KEY'],
    ['SERVER_URL_PUBLIC', 'SERVER_PUBLIC_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['TRUSTPROXY', 'TRUST_PROXY'],
    ['trust_proxy', 'TRUST_PROXY'],
    ['HOSTED_CLIENT_SECRT', 'HOSTED_CLIENT_SECRET'],
    ['OAUTH_CONCENT', 'OAUTH_CONSENT'],
  ])('is found: %s', (variable, meant) => {
    expect(misspeltVariables({ [variable]: 'hunter2' })).toEqual([{ variable, meant, isMeantSet: false }]);
  });

  it.each([
    'HOME',
    'HOSTNAME',
    'NODE_PATH',
    'PATH',
    'SORT',
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'GITHUB_CLIENT_ID',
    'GITLAB_CLIENT_SECRET',
    'POSTGRES_PASSWORD',
    'npm_config_cache',
    'TOOL_GATEWAY_SERVICE_PORT',
  ])('is not suspected in %s', (variable) => {
    expect(misspeltVariables({ [variable]: 'x' })).toEqual([]);
  });

  it('is found beside the right one, and is no reason for a start to fail', () => {
    const both = { SIGN_IN_ALLOW: 'example.com', SIGN_IN_ALOW: 'x.org' };
    expect(misspeltVariables(both)).toEqual([
      { variable: 'SIGN_IN_ALOW', meant: 'SIGN_IN_ALLOW', isMeantSet: true },
    ]);
    expect(messageOf({ ...both, PORT: 'x' })).not.toContain('SIGN_IN_ALOW');
  });

  it('is not looked for where it is empty', () => {
    expect(misspeltVariables({ DATABASE_URI: ' ' })).toEqual([]);
  });

  it('is named in the message of a start that fails, without its value', () => {
    const { SESSION_SECRET: SESION_SECRET, ...rest } = PUBLIC;
    const message = messageOf({ ...rest, SESION_SECRET });
    expect(message).toContain('SESSION_SECRET must be set');
    expect(message).toContain('SESION_SECRET is unknown: did you mean SESSION_SECRET?');
    expect(message).not.toContain(HEX);
  });

  function messageOf(env: Env): string {
    try {
      read(env);
    } catch (error) {
      if (error instanceof ConfigError) return error.message;
      throw error;
    }
    return '';
  }
});
