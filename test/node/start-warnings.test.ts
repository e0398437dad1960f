// Starts the real program with settings that cannot work, and reads what it says. reference: Environment variables
import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { warnOfPlainAddress } from '../../src/egress/plain-address.ts';
import { type Gateway, openSite, type Site } from '../support/gateway-process.ts';
import { describeSwift, startSwift } from '../support/swift.ts';
import { waitUntil } from '../support/wait.ts';

// Swift is five programs.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

let site: Site;
beforeEach(async () => {
  site = await openSite();
});
afterEach(() => site.close());

const linesOf = ({ output }: Gateway): Record<string, unknown>[] =>
  output.stdout
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line));

describe('a start', () => {
  it('is refused with one sentence when SERVER_PUBLIC_URL has a path', async () => {
    const gateway = await site.spawn({ env: { SERVER_PUBLIC_URL: 'http://localhost:3000/gw' } });
    expect(await gateway.exited).toEqual({ code: 1, signal: null });
    expect(gateway.output.stderr).toBe(
      'The configuration has a problem:\n  SERVER_PUBLIC_URL must be an address without a path: the gateway cannot serve below one, so give it a host name or a port of its own\n',
    );
  });

  it('says in one line each what cannot work, and what to do', async () => {
    const gateway = await site.start({
      env: {
        SERVER_PUBLIC_URL: 'http://gate.example.com',
        HOST: '127.0.0.1',
        SESSION_SECRET: randomBytes(32).toString('hex'),
        ENCRYPTION_KEY: randomBytes(32).toString('hex'),
        AUDIT_SIGNING_KEY: randomBytes(32).toString('hex'),
        SIGN_IN_ALLOW: 'example.com',
        SIGN_IN_ALOW: 'x.org',
        SIGN_IN_ALLOW_FILE: '/run/secrets/allow',
        GITHUB_CLIENT_ID: 'id',
        LINEAR_CLIENT_SECRET: 'hunter2',
        CHROMIUM_PATH: '/opt',
      },
    });
    // A stop finishes what has begun, so the warnings are written by then.
    await gateway.stop();
    const warnings = linesOf(gateway).filter(({ level }) => level === 'warn');
    expect(warnings).toMatchObject([
      {
        event: 'unknown variable',
        variable: 'SIGN_IN_ALOW',
        hint: 'SIGN_IN_ALLOW is set too, and this one is ignored',
      },
      {
        event: 'variable without effect',
        variable: 'LINEAR_CLIENT_SECRET',
        hint: 'it counts together with LINEAR_CLIENT_ID only: set that too',
      },
      {
        event: 'variable without effect',
        variable: 'SIGN_IN_ALLOW_FILE',
        hint: 'only secrets are read from files: set SIGN_IN_ALLOW',
      },
      { event: 'SERVER_PUBLIC_URL is not encrypted', hint: expect.stringContaining('https://') },
      {
        event: 'CHROMIUM_PATH cannot be used',
        hint: expect.stringMatching(
          /^No browser was found at \/opt\. Install Chromium .* or set CHROMIUM_PATH/,
        ),
      },
      {
        event: 'OAuth client without its secret',
        hint: 'nobody can sign in with it: set GITHUB_CLIENT_SECRET',
      },
    ]);
    expect(gateway.output.stdout).not.toContain('hunter2');
  });

  it('says nothing when nothing is wrong', async () => {
    const gateway = await site.start();
    await gateway.stop();
    expect(linesOf(gateway).map(({ level }) => level)).not.toContain('warn');
  });
});

describe('an address without encryption', () => {
  it.each([
    ['https://gate.example.com', 0],
    ['http://gate.example.com', 1],
    ['http://93.184.215.14', 1],
    ['http://[2606:2800:21f::1]', 1],
    ['http://localhost:3000', 0],
    ['http://10.1.2.3', 0],
    ['http://[fd00::1]:3000', 0],
    ['http://gateway', 0],
    ['http://gate.corp', 0],
  ])('is told apart from one in a network of its own: %s', (SERVER_PUBLIC_URL, lines) => {
    const secrets = {
      SESSION_SECRET: randomBytes(32).toString('hex'),
      ENCRYPTION_KEY: randomBytes(32).toString('hex'),
    };
    const config = readConfig({ SERVER_PUBLIC_URL, ...secrets }, () => '');
    const written: string[] = [];
    warnOfPlainAddress({
      config,
      log: { shows: () => true, write: (_level, event) => void written.push(event) },
    });
    expect(written).toHaveLength(lines);
  });
});

describeSwift('a start with a bucket', () => {
  let swift: Awaited<ReturnType<typeof startSwift>> | undefined;
  beforeAll(async () => {
    swift = await startSwift();
  });
  afterAll(() => swift?.close());

  it.each([
    ['bucket', { bucket: 'no-such-bucket' }, /there is no bucket no-such-bucket/],
    ['key', { secretAccessKey: 'hunter2-wrong' }, /: 403 SignatureDoesNotMatch/],
  ])('says in one line that the %s is wrong, and what to check', async (_what, wrong, reason) => {
    if (swift === undefined) throw new Error('Swift does not run');
    const place = { ...swift.place, ...wrong };
    const gateway = await site.start({
      env: {
        BLOBS_URL: `s3://${place.bucket}?endpoint=${place.endpoint}&region=${place.region}`,
        S3_ACCESS_KEY_ID: place.accessKeyId,
        S3_SECRET_ACCESS_KEY: place.secretAccessKey,
      },
    });
    const errors = () => linesOf(gateway).filter(({ level }) => level === 'error');
    await waitUntil(
      'the line',
      () => errors().length > 0,
      () => gateway.output.stdout,
    );
    expect((await gateway.request('/api/health/ready')).status).toBe(503);
    await gateway.stop();
    expect(errors()).toEqual([
      expect.objectContaining({
        event: 'bucket cannot be used',
        error: expect.stringMatching(reason),
        hint: expect.stringMatching(/BLOBS_URL, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY/),
      }),
    ]);
    expect(gateway.output.stdout).not.toContain('hunter2');
  });
});
