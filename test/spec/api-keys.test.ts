// Tests API keys and the signed-in user. reference: API keys; Users
import { hash as bcrypt } from 'bcrypt-ts/browser';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPortableHasher } from '../../drivers/hasher/bcrypt-ts.ts';
import { createApiKeys } from '../../src/auth/api-keys.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let ana: TestUser;
let count = 0;

beforeAll(async () => {
  app = await createTestApp();
});
beforeEach(async () => {
  ana = await app.user(`ana${count++}@example.com`);
});
afterAll(() => app.close());

async function api(method: string, path: string, headers: Record<string, string> = ana.sessionHeader) {
  const response = await app.request(path, { method, headers });
  return { status: response.status, body: await response.json() };
}

describe('/api/auth/me and logout', () => {
  it('returns the id and the e-mail', async () => {
    expect(await api('GET', '/api/auth/me')).toEqual({ status: 200, body: { id: ana.id, email: ana.email } });
  });

  it('answers 404 to a session whose user is gone', async () => {
    const session = await app.deps.sessions.issue({ id: 'gone', email: 'gone@example.com' });
    expect((await api('GET', '/api/auth/me', { authorization: `Bearer ${session}` })).status).toBe(404);
  });

  it('logs out without a server-side effect and without a credential', async () => {
    expect(await api('POST', '/api/auth/logout', {})).toEqual({ status: 200, body: { success: true } });
    expect((await api('GET', '/api/auth/me')).status).toBe(200);
  });
});

describe('/api/keys', () => {
  it('creates a key of 32 bytes in hex, reports that it exists, and shows it again', async () => {
    const { body } = await api('POST', '/api/keys');
    expect(body).toEqual({ apiKey: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(await api('GET', '/api/keys')).toEqual({ status: 200, body: { hasKey: true } });
    expect(await api('GET', '/api/keys/reveal')).toEqual({ status: 200, body });
  });

  it.each([
    ['POST', '/api/keys'],
    ['GET', '/api/keys/reveal'],
  ])('forbids caching of the response to %s %s', async (method, path) => {
    const response = await app.request(path, { method, headers: ana.sessionHeader });
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('accepts the key itself as credential', async () => {
    expect((await api('GET', '/api/keys', ana.keyHeader)).body).toEqual({ hasKey: true });
  });

  it('refuses the old key at once after a rotation', async () => {
    await api('POST', '/api/keys');
    expect((await api('GET', '/api/keys', ana.keyHeader)).status).toBe(401);
  });

  it('shows no key and accepts none after a deletion', async () => {
    expect(await api('DELETE', '/api/keys')).toEqual({ status: 200, body: { success: true } });
    expect(await api('GET', '/api/keys')).toEqual({ status: 200, body: { hasKey: false } });
    expect(await api('GET', '/api/keys/reveal')).toEqual({ status: 404, body: { error: 'No key set.' } });
    expect((await api('GET', '/api/keys', ana.keyHeader)).status).toBe(401);
  });

  it('stores the key as bcrypt of cost 10, as SHA-256 and sealed, never in plain text', async () => {
    const { apiKey } = (await api('POST', '/api/keys')).body;
    const user = await app.deps.store.users.byId(ana.id);
    expect(user?.api_key_hash).toMatch(/^\$2[ab]\$10\$/);
    expect(user?.api_key_sha).toMatch(/^[0-9a-f]{64}$/);
    expect(user?.api_key_ciphertext).toMatch(/^v1\./);
    expect(JSON.stringify(user)).not.toContain(apiKey);
  });

  it('says what to do about a key that no encryption key opens any more', async () => {
    const user = await app.deps.store.users.byId(ana.id);
    await app.deps.store.users.setKey(ana.id, {
      ...keyColumns(user),
      api_key_ciphertext: 'v1.00000000.AAAA',
    });
    const { status, body } = await api('GET', '/api/keys/reveal');
    expect(status).toBe(409);
    expect(body.error).toMatch(/Create a new one/);
    expect((await api('GET', '/api/keys', ana.keyHeader)).status).toBe(200);
  });
});

describe('many keys made at once', () => {
  const portable = createPortableHasher();
  let gated: TestApp;
  let greedy: TestUser;
  let bea: TestUser;
  let gate: PromiseWithResolvers<void>;
  /** How many hashes end before the gate opens. */
  let endingEarly: number;
  beforeEach(async () => {
    gate = Promise.withResolvers();
    gate.resolve();
    endingEarly = 0;
    const hasher = {
      ...portable,
      async hash() {
        if (endingEarly > 0) endingEarly--;
        else await gate.promise;
        return '$2b$10$of-no-secret';
      },
    };
    gated = await createTestApp({ ports: { hasher } });
    greedy = await gated.user('greedy@example.com');
    bea = await gated.user('bea@example.com');
    gate = Promise.withResolvers();
  });
  afterEach(() => gated.close());

  /** Sends the requests, waits for the answers that come while nothing is hashed, and then lets the hasher work. */
  async function sendAll(count: number, send: (n: number) => Promise<Response>) {
    const refused: Response[] = [];
    const rest = Array.from({ length: count }, async (_, n) => {
      const response = await send(n);
      refused.push(response);
      return response;
    });
    await vi.waitFor(() => expect(refused).toHaveLength(count - 6));
    const early = [...refused];
    gate.resolve();
    return { early, all: await Promise.all(rest) };
  }

  it('by one person are refused beyond a few', async () => {
    const mint = () => gated.request('/api/keys', { method: 'POST', headers: greedy.sessionHeader });
    const { early, all } = await sendAll(300, mint);
    for (const response of early)
      expect([response.status, response.headers.get('retry-after')]).toEqual([429, '1']);
    expect(await early[0]?.json()).toEqual({ error: expect.stringMatching(/Try again in a moment/) });
    expect(all.filter(({ status }) => status === 200)).toHaveLength(6);
  });

  it('by one person delay another person by one of them at most', async () => {
    endingEarly = 2;
    const minting = Array.from({ length: 6 }, async () => gated.deps.apiKeys.mint(greedy.id));
    expect(await gated.deps.apiKeys.mint(bea.id)).toMatch(/^[0-9a-f]{64}$/);
    gate.resolve();
    await Promise.all(minting);
  });

  it('wait in one queue with the passwords of jots', async () => {
    const { early, all } = await sendAll(20, (n) =>
      gated.request('/rest/jots', {
        method: 'POST',
        headers: { ...greedy.sessionHeader, 'content-type': 'application/json' },
        body: JSON.stringify({
          tool: 'deploy_jot',
          args: { name: `n-${n}`, access: 'password', password: 'p' },
        }),
      }),
    );
    for (const response of early) expect(response.status).toBe(502);
    expect(await early[0]?.json()).toMatchObject({ error: expect.stringMatching(/Try again in a moment/) });
    expect(all.filter(({ status }) => status === 200)).toHaveLength(6);
  });
});

describe('a key known only by its bcrypt hash', () => {
  async function makeLegacy(user: TestUser): Promise<void> {
    const api_key_hash = await createPortableHasher().hash(user.apiKey);
    await app.deps.store.users.setKey(user.id, { api_key_hash, api_key_sha: null, api_key_ciphertext: null });
  }

  it('signs in, and gets its SHA-256 filled in', async () => {
    await makeLegacy(ana);
    expect((await api('GET', '/api/auth/me', ana.keyHeader)).body).toEqual({ id: ana.id, email: ana.email });
    const user = await app.deps.store.users.byId(ana.id);
    expect(user?.api_key_sha).toBe(app.deps.digest.sha256(ana.apiKey));
    expect(await app.deps.store.users.withLegacyKey()).toEqual([]);
  });

  it('is compared only when its shape is right, and at most two compares run at once', async () => {
    await makeLegacy(ana);
    let atOnce = 0;
    let most = 0;
    let compares = 0;
    const counting = {
      ...app.deps.hasher,
      async verify() {
        compares++;
        most = Math.max(most, ++atOnce);
        await new Promise((resolve) => setImmediate(resolve));
        atOnce--;
        return false;
      },
    };
    const apiKeys = createApiKeys({ ...app.deps, hasher: counting });
    for (const key of ['', 'short', 'G'.repeat(64), 'f'.repeat(63)])
      expect(await apiKeys.verify(key)).toBeNull();
    expect(compares).toBe(0);
    await Promise.all(Array.from({ length: 20 }, (_, index) => apiKeys.verify(madeUp(index))));
    expect(compares).toBe(20);
    expect(most).toBe(2);
    expect(await apiKeys.verify('f'.repeat(64))).toBeNull();
    expect(compares).toBe(21);
  });
});

describe('made-up keys where people have keys known by bcrypt only', () => {
  const BASE = 'https://gate.example';
  const portable = createPortableHasher();
  let busy: TestApp;
  let bea: TestUser;
  let cem: TestUser;
  let gate: PromiseWithResolvers<void>;
  let compares: number;
  beforeEach(async () => {
    gate = Promise.withResolvers();
    compares = 0;
    const hasher = {
      ...portable,
      async verify(secret: string, hash: string) {
        compares++;
        await gate.promise;
        return portable.verify(secret, hash);
      },
    };
    const secret = '0123456789abcdef'.repeat(4);
    busy = await createTestApp({
      env: { SERVER_PUBLIC_URL: BASE, TRUST_PROXY: 'true', SESSION_SECRET: secret, ENCRYPTION_KEY: secret },
      ports: { hasher },
    });
    bea = await busy.user('bea@example.com');
    cem = await busy.user('cem@example.com');
    const api_key_hash = await bcrypt(bea.apiKey, 4);
    await busy.deps.store.users.setKey(bea.id, { api_key_hash, api_key_sha: null, api_key_ciphertext: null });
  });
  afterEach(() => busy.close());

  const call = (key: string, address: string, path = '/rest') =>
    busy.request(path, { headers: { 'x-service-api-key': key, 'x-forwarded-for': address } });

  it('wait up to 64, and are 503 with Retry-After beyond', async () => {
    const early: Response[] = [];
    const all = Array.from({ length: 400 }, async (_, index) => {
      const path = ['/rest', '/api/auth/me'][index % 2];
      const response = await call(madeUp(index), `10.0.${index}.1`, path);
      early.push(response);
      return response;
    });
    await vi.waitFor(() => expect(early).toHaveLength(400 - 2 - 64));
    expect(compares).toBe(2);
    for (const response of early) {
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
      expect(await response.json()).toEqual({ error: expect.stringMatching(/Try again in a moment/) });
    }
    // A key that is found by its SHA-256 waits for nobody.
    expect((await call(cem.apiKey, '10.0.0.1')).status).toBe(200);
    expect((await call(bea.apiKey, '10.9.9.9')).status).toBe(503);
    gate.resolve();
    expect((await Promise.all(all)).filter(({ status }) => status === 401)).toHaveLength(66);
    expect(busy.lines.filter(({ level }) => level === 'error')).toEqual([]);
    expect((await call(bea.apiKey, '10.9.9.9')).status).toBe(200);
  });

  it('of an address over its limit are 429 without a comparison, and valid keys of it pass', async () => {
    gate.resolve();
    for (let index = 0; index < 120; index++)
      expect((await call(madeUp(index), '10.1.1.1')).status).toBe(401);
    const before = compares;
    expect(before).toBe(120);
    for (const key of [madeUp(1), madeUp(200), 'short', bea.apiKey]) {
      const refused = await call(key, '10.1.1.1');
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
      expect(refused.headers.get('www-authenticate')).toBeNull();
    }
    expect(compares).toBe(before);
    expect((await call(cem.apiKey, '10.1.1.1')).status).toBe(200);
    expect((await call(bea.apiKey, '10.1.1.2')).status).toBe(200);
    // It is known by its SHA-256 now.
    expect((await call(bea.apiKey, '10.1.1.1')).status).toBe(200);
  });

  it('leave the owner of a key that waits beside itself signed in', async () => {
    const all = Array.from({ length: 8 }, () => call(bea.apiKey, '10.2.2.2'));
    await vi.waitFor(() => expect(compares).toBe(2));
    gate.resolve();
    expect((await Promise.all(all)).map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(compares).toBe(2);
  });
});

describe('calls with one key in one turn of the event loop', () => {
  it('share one read of the store, and a removed key is refused at once', async () => {
    const { store, clock } = app.deps;
    let looks = 0;
    const byKeySha = (sha: string) => {
      looks++;
      return store.users.byKeySha(sha);
    };
    const apiKeys = createApiKeys({ ...app.deps, store: { ...store, users: { ...store.users, byKeySha } } });
    const verify = () => apiKeys.verify(ana.apiKey);
    expect(await Promise.all([verify(), verify(), verify()])).toMatchObject(
      [1, 2, 3].map(() => ({ id: ana.id })),
    );
    expect(looks).toBe(1);
    await apiKeys.remove(ana.id);
    expect(await verify()).toBeNull();
    const again = await apiKeys.mint(ana.id);
    expect(await apiKeys.verify(again)).toMatchObject({ id: ana.id });
    await clock.turn();
    looks = 0;
    await store.users.setKey(ana.id, { api_key_hash: null, api_key_sha: null, api_key_ciphertext: null });
    expect(await apiKeys.verify(again)).toBeNull();
    expect(looks).toBe(1);
  });
});

/** A key of the right shape that belongs to nobody. */
const madeUp = (index: number): string => index.toString(16).padStart(64, '0');

function keyColumns(user: Awaited<ReturnType<TestApp['deps']['store']['users']['byId']>>) {
  if (user === null) throw new Error('no user');
  return { api_key_hash: user.api_key_hash, api_key_sha: user.api_key_sha };
}
