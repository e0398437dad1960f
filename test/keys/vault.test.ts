// Tests that the data key is wrapped by a real Vault: at the start, while Vault is away, and when keys change. decision: 072
import { randomBytes } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { exportSPKI, generateKeyPair, SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createVaultKeys } from '../../drivers/keys/vault.ts';
import { openSqlite } from '../../drivers/sql/sqlite.ts';
import { createSqlStore } from '../../drivers/sql/store.ts';
import { describeWith } from '../support/describe-with.ts';
import { type Gateway, openSite, runProgram, type Site } from '../support/gateway-process.ts';
import { missingVault, openVault, tokenOfGateway, type Vault } from '../support/vault.ts';

const ROTATE = ['node', 'adapters/node/launch.mjs', 'adapters/node/rotate-keys.ts'];
const SOURCE = 'vault:transit/gateway';
const CANNOT = 'the key of ENCRYPTION_KEY cannot be opened';

// Each test starts the gateway several times.
vi.setConfig({ testTimeout: 120_000 });

describeWith(
  'a data key in Vault',
  missingVault,
  () => {
    let vault: Vault;
    let token: string;
    let site: Site;
    beforeAll(async () => {
      vault = await openVault();
      token = await tokenOfGateway(vault);
    });
    afterAll(() => vault?.close());
    beforeEach(async () => {
      site = await openSite();
    });
    afterEach(() => site.close());

    const inVault = (source = SOURCE) => ({
      ENCRYPTION_KEY: source,
      VAULT_ADDR: vault.address,
      VAULT_TOKEN: token,
    });

    async function wrappedKeys(): Promise<Record<string, string>> {
      const store = createSqlStore(openSqlite(join(site.dataDir, 'service.db')));
      try {
        return JSON.parse((await store.dataKeys.read()) ?? '{}');
      } finally {
        await store.close();
      }
    }

    async function reveal(gateway: Gateway, apiKey: string): Promise<unknown> {
      const response = await gateway.request('/api/keys/reveal', {
        headers: { 'x-service-api-key': apiKey },
      });
      return response.json();
    }

    /** Starts the gateway, reveals the key of its owner, and stops it. */
    async function reveals(apiKey: string, env: Record<string, string>): Promise<void> {
      const gateway = await site.start({ env });
      expect(await reveal(gateway, apiKey)).toEqual({ apiKey });
      expect(gateway.output.stdout).not.toContain('is not the key of this database');
      await gateway.stop();
    }

    async function rotate(env: Record<string, string>) {
      const { exited, output } = runProgram(ROTATE, { DATA_DIR: site.dataDir, ...env });
      return { ...(await exited), ...output };
    }

    it('is stored wrapped, opens at the next start, and serves from memory while Vault is away', async () => {
      const first = await site.start({ env: inVault() });
      const { apiKey } = first;
      await first.stop();
      expect(await wrappedKeys()).toEqual({ [SOURCE]: expect.stringMatching(/^vault:v1:/) });
      const second = await site.start({ env: inVault() });
      await vault.stop();
      expect(await reveal(second, apiKey)).toEqual({ apiKey });
      await second.stop();

      const waiting = await site.spawn({ env: inVault() });
      await waiting.says(CANNOT);
      await vault.start();
      await waiting.says('503');
      await vault.unseal();
      await waiting.says('"listening"');
      expect(await reveal(waiting, apiKey)).toEqual({ apiKey });
      expect(waiting.output.stdout + waiting.output.stderr).not.toContain(token);
      await waiting.stop();
    });

    it('is one key for processes that start at once', async () => {
      const env = { ...inVault(), WORKERS: '3' };
      const gateway = await site.start({ env });
      for (let turn = 0; turn < 10; turn++)
        expect(await reveal(gateway, gateway.apiKey)).toEqual({ apiKey: gateway.apiKey });
      expect(Object.keys(await wrappedKeys())).toEqual([SOURCE]);
      await gateway.stop();
    });

    it('takes over from a plain key and gives back to one', async () => {
      const first = await site.start();
      const { apiKey } = first;
      await first.stop();
      const keyFile = join(site.dataDir, 'encryption-key');
      const plain = await readFile(keyFile, 'utf8');
      await rm(keyFile);

      const there = { ...inVault(), ENCRYPTION_KEY_PREVIOUS: plain };
      const both = await site.start({ env: there });
      const moved = await rotate(there);
      expect(moved).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing needs the old key') });
      expect(await reveal(both, apiKey)).toEqual({ apiKey });
      await both.stop();
      await reveals(apiKey, inVault());

      const next = { ENCRYPTION_KEY: `${SOURCE}#2`, ENCRYPTION_KEY_PREVIOUS: SOURCE };
      await reveals(apiKey, { ...inVault(), ...next });
      expect(await rotate({ ...inVault(), ...next })).toMatchObject({ code: 0 });
      await reveals(apiKey, inVault(`${SOURCE}#2`));

      const own = randomBytes(32).toString('hex');
      const back = { ...inVault(), ENCRYPTION_KEY: own, ENCRYPTION_KEY_PREVIOUS: `${SOURCE}#2` };
      await reveals(apiKey, back);
      expect(await rotate(back)).toMatchObject({ code: 0 });
      await reveals(apiKey, { ENCRYPTION_KEY: own });
    });

    it('is wrapped again by a new version of the key, after which the old version can go', async () => {
      const first = await site.start({ env: inVault() });
      await first.stop();
      await vault.ask('POST', 'transit/keys/gateway/rotate');
      const renewed = await rotate(inVault());
      expect(renewed).toMatchObject({ code: 0, stdout: expect.stringContaining('newest version') });
      expect((await wrappedKeys())[SOURCE]).toMatch(/^vault:v2:/);
      await vault.ask('POST', 'transit/keys/gateway/config', { min_decryption_version: 2 });
      await reveals(first.apiKey, inVault());
      await vault.ask('POST', 'transit/keys/gateway/config', { min_decryption_version: 1 });
    });

    it('ends the start with a cure where Vault refuses, and makes no key of a wrong name', async () => {
      const refused = await site.spawn({ env: { ...inVault(), VAULT_TOKEN: 'hvs.wrong' } });
      expect(await refused.exited).toMatchObject({ code: 1 });
      expect(refused.output.stderr).toContain('Give the gateway\'s token "update"');
      expect(refused.output.stdout + refused.output.stderr).not.toContain('hvs.wrong');

      const root = { ...inVault('vault:transit/gatewya'), VAULT_TOKEN: vault.root };
      const misspelt = await site.spawn({ env: root });
      expect(await misspelt.exited).toMatchObject({ code: 1 });
      expect(misspelt.output.stderr).toContain('Check the key gatewya of transit');
      expect((await vault.ask('GET', 'transit/keys/gatewya')).status).toBe(404);

      const command = await rotate({ ...inVault(), VAULT_ADDR: 'http://127.0.0.1:1' });
      expect(command).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be reached') });
    });

    it('signs in with an AppRole', async () => {
      await vault.ask('POST', 'sys/auth/approle', { type: 'approle' });
      await vault.ask('POST', 'auth/approle/role/gateway', { token_policies: ['gateway'] });
      const role = await vault.ask('GET', 'auth/approle/role/gateway/role-id');
      const secret = await vault.ask('POST', 'auth/approle/role/gateway/secret-id');
      const { VAULT_TOKEN: _, ...others } = inVault();
      const login = {
        VAULT_ROLE_ID: String(role.body.data?.['role_id']),
        VAULT_SECRET_ID: String(secret.body.data?.['secret_id']),
      };
      const gateway = await site.start({ env: { ...others, ...login } });
      expect(await reveal(gateway, gateway.apiKey)).toEqual({ apiKey: gateway.apiKey });
      await gateway.stop();
      const wrong = await site.spawn({ env: { ...others, ...login, VAULT_SECRET_ID: 'no-such-id' } });
      expect(await wrong.exited).toMatchObject({ code: 1 });
      expect(wrong.output.stderr).toContain('auth/approle/login: 400');
    });

    it('signs in with the service account of a pod', async () => {
      // The method "jwt" takes the same request as "kubernetes", which asks a cluster whose token it is.
      const { publicKey, privateKey } = await generateKeyPair('ES256');
      await vault.ask('POST', 'sys/auth/kubernetes', { type: 'jwt' });
      await vault.ask('POST', 'auth/kubernetes/config', {
        jwt_validation_pubkeys: [await exportSPKI(publicKey)],
      });
      const subject = 'system:serviceaccount:tools:gateway';
      await vault.ask('POST', 'auth/kubernetes/role/gateway', {
        role_type: 'jwt',
        user_claim: 'sub',
        bound_subject: subject,
        bound_audiences: ['vault'],
        token_policies: ['gateway'],
      });
      const token = new SignJWT({}).setProtectedHeader({ alg: 'ES256' }).setSubject(subject);
      const jwt = await token
        .setAudience('vault')
        .setIssuedAt()
        .setNotBefore('0s')
        .setExpirationTime('10m')
        .sign(privateKey);
      const keys = createVaultKeys({
        address: vault.address,
        mount: 'transit',
        key: 'gateway',
        login: { kubernetesRole: 'gateway', readToken: async () => jwt },
        fetch: (url, init) => fetch(url, init),
      });
      const { key, wrapped } = await keys.create();
      expect(await keys.unwrap(wrapped)).toEqual(key);
    });
  },
  { excuse: process.env['WITHOUT_KEY_SERVICES'] },
);
