// Opens the whole application in this process, with real drivers in a temporary folder and a clock that tests
// move.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hash as bcrypt } from 'bcrypt-ts/browser';
import { createNodeBrowser } from '../../adapters/node/live-view/browser.ts';
import { createNoAssets } from '../../drivers/assets/none.ts';
import { createMemoryBlobs } from './memory-blobs.ts';
import { createMemoryGuides } from '../../drivers/guides/memory.ts';
import { createZlibGunzip } from '../../drivers/gunzip/zlib.ts';
import { createNodeHasher } from '../../drivers/hasher/node-bcrypt.ts';
import { createTextMetrics } from '../../drivers/metrics/text.ts';
import { createUndiciNetwork } from '../../drivers/network/undici.ts';
import { openMemoryPending } from '../../drivers/pending/unstorage.ts';
import { createSchema } from '../../drivers/sql/engine.ts';
import { openSqlite } from '../../drivers/sql/sqlite.ts';
import { createSqlStore } from '../../drivers/sql/store.ts';
import { createNodeDigest } from '../../drivers/system/node-digest.ts';
import { createSystemRandom } from '../../drivers/system/random.ts';
import { integrations } from '../../integrations/all.ts';
import { guides } from '../../integrations/guides.ts';
import { createApp } from '../../src/app.ts';
import { createApiKeys } from '../../src/auth/api-keys.ts';
import { readConfig } from '../../src/config/config.ts';
import { createDeps, type Deps, type GatewayPorts } from '../../src/deps.ts';
import { FEATURES } from '../../src/features.ts';
import type { Feature } from '../../src/kit/feature.ts';
import { enabledProviders } from '../../src/login/providers.ts';
import { createScim } from '../../src/scim/scim.ts';
import { createLiveView } from '../../src/live-view/live-view.ts';
import type { LogLevel } from '../../src/ports/log.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { fixtures } from './fixtures.ts';
import { createOtherAccounts, watchNetwork } from './other-accounts.ts';
import { waitedTexts } from './waited-texts.ts';

export const BASE = 'http://localhost:3000';
const SECRET = '0123456789abcdef'.repeat(4);
// All apps of a test file share this worker thread, which does not keep the process alive.
const hasher = createNodeHasher();
// Thousands of tests make a user, and bcrypt of cost 10 would take most of their time. An application hashes with cost 10.
const USER_KEY_COST = 4;
const quickHasher = { ...hasher, hash: (secret: string) => bcrypt(secret, USER_KEY_COST) };

export interface LogLine {
  level: LogLevel;
  event: string;
  [field: string]: unknown;
}

export interface TestApp {
  deps: Deps;
  clock: FakeClock;
  /** The DATA_DIR. */
  folder: string;
  lines: LogLine[];
  request(path: string, init?: RequestInit): Promise<Response>;
  /** The handler for a server or a fake browser. */
  fetch: (request: Request) => Response | Promise<Response>;
  /** Passes what a runtime would pass with the request. */
  fetchWith: (request: Request, env: object) => Response | Promise<Response>;
  /** Creates a user with a key and a session. */
  user(email?: string): Promise<TestUser>;
  close(): Promise<void>;
}

export interface TestUser {
  id: string;
  email: string;
  apiKey: string;
  session: string;
  keyHeader: { 'x-service-api-key': string };
  sessionHeader: { authorization: string };
}

export interface Options {
  env?: Record<string, string>;
  ports?: Partial<GatewayPorts>;
  /** What the gateway has beside its own features. */
  features?: readonly Feature<Deps>[];
  /** Turns on the live view with real browsers, which need a real clock. */
  browsers?: boolean;
  /** The clock's initial time in Unix seconds. */
  now?: number;
}

export async function createTestApp({
  env = {},
  ports = {},
  features = [],
  browsers = false,
  now,
}: Options = {}): Promise<TestApp> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-test-'));
  const clock = createFakeClock(now);
  const lines: LogLine[] = [];
  const engine = openSqlite(join(folder, 'service.db'));
  await createSchema(engine);
  const config = readConfig({ DATA_DIR: folder, ...env }, () => SECRET);
  const store = createSqlStore(engine, { hasSignInProvider: enabledProviders(config).length > 0 });
  const network = watchNetwork(ports.network ?? createUndiciNetwork());
  const browser = browsers ? createNodeBrowser({ config, network }, process.env) : null;
  const others = createOtherAccounts();
  const guarded = waitedTexts(integrations);
  const given: GatewayPorts = {
    config,
    integrations: [...guarded.integrations, ...fixtures],
    assets: createNoAssets(),
    blobs: createMemoryBlobs(),
    browser,
    camera: null,
    clock,
    digest: createNodeDigest(),
    guides: createMemoryGuides(guides),
    gunzip: createZlibGunzip(),
    hasher,
    log: {
      shows: () => true,
      write: (level, event, fields) => lines.push({ level, event, ...fields }),
    },
    localServers: null,
    mail: null,
    memory: 2 ** 30,
    metrics: createTextMetrics(),
    pending: openMemoryPending(ports.clock ?? clock),
    random: createSystemRandom(),
    store,
    texts: guarded.texts,
    tracer: null,
    ...ports,
    network,
  };
  const deps = await createDeps(given, undefined, [...FEATURES, ...others.features, ...features]);
  others.begin(deps);
  const liveView = browser === null ? null : createLiveView({ ...deps, browser });
  const userKeys = createApiKeys({ ...deps, hasher: quickHasher });
  const surfaces = liveView === null ? {} : { liveView: liveView.routes };
  const app = createApp(deps, { ...surfaces, scim: createScim(deps) });

  return {
    deps,
    clock,
    folder,
    lines,
    async request(path, init) {
      const url = new URL(others.path(path, init?.method), deps.config.SERVER_PUBLIC_URL);
      return others.response(await app.request(url, init));
    },
    fetch: (request) => app.fetch(request),
    fetchWith: (request, env) => app.fetch(request, env),
    async user(email = 'ana@example.com') {
      // Somebody else comes first: that person would be the owner.
      await deps.store.users.createFirst({
        id: deps.random.uuid(),
        email: 'first@example.com',
        created_at: clock.now(),
      });
      const created = await deps.store.users.create({
        id: deps.random.uuid(),
        email,
        created_at: clock.now(),
      });
      const apiKey = await userKeys.mint(created.id);
      const session = await deps.sessions.issue(created);
      return {
        id: created.id,
        email,
        apiKey,
        session,
        keyHeader: { 'x-service-api-key': apiKey },
        sessionHeader: { authorization: `Bearer ${session}` },
      };
    },
    async close() {
      liveView?.close();
      await browser?.close();
      try {
        await others.check();
      } finally {
        await deps.store.close();
        // A browser may still write for a moment after its gateway was killed.
        await rm(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
      }
    },
  };
}
