// Tests what administrators see of the state of the whole gateway. reference: State of the gateway
import { afterEach, describe, expect, it } from 'vitest';
import type { GatewayState } from '../../src/maintenance/gateway-operations.ts';
import { maintainOnce } from '../../src/maintenance/sweep.ts';
import type { LastBackup } from '../../src/ports/last-backup.ts';
import { Unavailable } from '../../src/ports/unavailable.ts';
import { entry } from '../contracts/store/records.ts';
import { createMemoryBlobs } from '../support/memory-blobs.ts';
import { smallWorld } from '../support/fixtures.ts';
import { freePort } from '../support/listen.ts';
import { PROVIDER, userWithRole } from '../support/people.ts';
import { send } from '../support/policy.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { createTestApp, type Options, type TestApp } from '../support/test-app.ts';

const SECRETS = { SESSION_SECRET: 's'.repeat(40), ENCRYPTION_KEY: '0123456789abcdef'.repeat(4) };

let app: TestApp;
afterEach(() => app.close());

async function start({ ports, ...options }: Options = {}) {
  // A part that does not answer in the time of the fake clock counts as away.
  const clock = createManualClock();
  app = await createTestApp({ ...options, ports: { integrations: smallWorld, clock, ...ports } });
  const { sessionHeader } = await app.user('owner@localhost');
  return sessionHeader;
}

async function read(headers: Record<string, string>) {
  const { body, status } = await send(app, headers, 'GET', '/api/admin/gateway');
  expect(status).toBe(200);
  const state: GatewayState = body;
  return Object.fromEntries(state.instruments.map(({ name, ...rest }) => [name, rest]));
}

describe('the state of the gateway', () => {
  it('is what was found, and what is not set up has a next step', async () => {
    const headers = await start();
    const { body } = await send(app, headers, 'GET', '/api/admin/gateway');
    expect(body).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      startedAt: app.deps.clock.now(),
    });
    expect(await read(headers)).toEqual({
      database: { state: 'good', kind: 'sqlite' },
      pending: { state: 'good', kind: 'memory' },
      files: { state: 'good', kind: 'fs' },
      encryptionKey: { state: 'good' },
      sealing: { state: 'unchecked' },
      address: { state: 'unchecked', kind: 'http://localhost:3000' },
      signIn: { state: 'off', cure: expect.stringContaining('IDP_ISSUER_URL') },
      mail: { state: 'off', cure: expect.stringContaining('SMTP_URL') },
      browser: { state: 'off' },
    });
  });

  it('puts what is bad first, with what to do', async () => {
    const refuses = () => Promise.reject(new Unavailable('[bucket] connect ECONNREFUSED 10.1.2.3:9000'));
    const headers = await start({ ports: { blobs: { ...createMemoryBlobs(), get: refuses } } });
    const { body } = await send(app, headers, 'GET', '/api/admin/gateway');
    expect(body.instruments[0]).toEqual({
      name: 'files',
      kind: 'fs',
      state: 'bad',
      cure: expect.stringContaining('BLOBS_URL'),
    });
    expect(JSON.stringify(body)).not.toContain('10.1.2.3');
  });

  it('says that a key does not open what is stored', async () => {
    const headers = await start();
    await read(headers);
    const { keyCheck } = app.deps.store;
    const sealed = await keyCheck.read();
    await keyCheck.swap(sealed, `${sealed?.slice(0, -8)}AAAAAAAA`);
    expect((await read(headers))['encryptionKey']).toMatchObject({
      state: 'bad',
      cure: expect.stringContaining('ENCRYPTION_KEY_PREVIOUS'),
    });
  });

  it('checks the newest seals, and notices rows that wait for one', async () => {
    app = await createTestApp({ ports: { integrations: smallWorld } });
    const headers = (await app.user('owner@localhost')).sessionHeader;
    const { audit, auditSegments } = app.deps.store;
    for (let round = 0; round < 2; round++) {
      await audit.append([entry({ created_at: app.clock.now() })]);
      app.clock.advance(601);
      await maintainOnce(app.deps);
    }
    expect((await read(headers))['sealing']).toEqual({ state: 'good', at: expect.any(Number) });
    await audit.append([entry({ created_at: app.clock.now() })]);
    app.clock.advance(3_600);
    expect((await read(headers))['sealing']).toMatchObject({
      state: 'bad',
      problem: 'Rows wait to be sealed.',
    });
    const newest = await auditSegments.newest();
    if (newest === null) throw new Error('Nothing was sealed');
    await auditSegments.add({ ...newest, segment: newest.segment + 1, previous: 'forged' });
    expect((await read(headers))['sealing']).toMatchObject({
      state: 'bad',
      problem: 'The newest seal does not fit its rows.',
    });
  });

  it('asks the sign-in provider', async () => {
    const issuer = `http://127.0.0.1:${await freePort()}`;
    const headers = await start({
      env: { ...PROVIDER, HOSTED_ISSUER_URL: issuer },
    });
    const admin = await userWithRole(app, 'adam@example.com', 'administrator');
    expect((await send(app, headers, 'GET', '/api/admin/gateway')).status).toBe(403);
    expect((await read(admin.sessionHeader))['signIn']).toEqual({
      state: 'bad',
      kind: 'hosted',
      problem: 'Nobody can sign in with hosted.',
      cure: expect.stringContaining('HOSTED_ISSUER_URL'),
    });
  });

  it('warns of an address that everybody on the way can read', async () => {
    const headers = await start({ env: { SERVER_PUBLIC_URL: 'http://gateway.example.com', ...SECRETS } });
    const found = await read(headers);
    expect(found['address']).toMatchObject({ state: 'bad', cure: expect.stringContaining('https://') });
  });

  it('calls a backup good only while its file is there as it was written', async () => {
    let last: Awaited<ReturnType<LastBackup>> = null;
    const headers = await start({ ports: { lastBackup: async () => last } });
    const backup = async () => (await read(headers))['backup'];
    expect(await backup()).toEqual({ state: 'off', cure: expect.stringContaining('npm run backup') });
    const madeAt = app.deps.clock.now() - 3600;
    last = { madeAt, file: 'whole' };
    expect(await backup()).toEqual({ state: 'good', at: madeAt });
    last = { madeAt, file: 'elsewhere' };
    expect(await backup()).toEqual({ state: 'unchecked', at: madeAt });
    last = { madeAt, file: 'changed' };
    expect(await backup()).toMatchObject({ state: 'bad', cure: expect.stringContaining('npm run backup') });
    last = { madeAt: madeAt - 8 * 24 * 3600, file: 'whole' };
    expect(await backup()).toMatchObject({ state: 'bad', problem: 'It is older than a week.' });
  });
});
