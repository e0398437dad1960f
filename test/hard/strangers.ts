// Lets strangers register clients and begin sign-ins for a minute each, and checks what stays on the disk. The gateway
// is on loopback, where no address is limited.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { startScriptedProvider } from '../support/scripted-provider.ts';
import { figure } from './figures.ts';
import { only, shown, startLoad, type Tally } from './load.ts';
import { pause } from './private-services.ts';
import { openStand, type Stand, type Started } from './stand.ts';

const MEBIBYTE = 1024 * 1024;
const ALLOWED = 64 * MEBIBYTE;
const FLOOD_MS = 60_000;
const STRANGERS = 16;
const CALLBACK = 'https://client.example/callback';
const REGISTRATION_BYTES = 4_000;

export async function strangerRuns(): Promise<void> {
  const provider = await startScriptedProvider({
    now: () => Math.floor(Date.now() / 1000),
    nonce: () => '',
  });
  const stand = await openStand();
  try {
    const gateway = await stand.start({
      HOSTED_ISSUER_URL: provider.issuer,
      HOSTED_CLIENT_ID: 'gateway',
      HOSTED_CLIENT_SECRET: 'secret',
    });
    await flood(stand, 'registrations of 4 KB', '201', () => register(gateway, REGISTRATION_BYTES));
    // A client that had registered before would be gone by now.
    const client = await registered(gateway);
    await flood(stand, 'authorizations with a state of 2 KiB', '302', () =>
      gateway.request(authorizePath(client), { redirect: 'manual' }),
    );
    await flood(stand, 'sign-ins that begin', '200', () => gateway.request('/api/auth/hosted'));
    await flood(stand, 'sign-ins that begin and return', '400', async () => {
      const { url } = await (await gateway.request('/api/auth/hosted')).json();
      const state = new URL(url).searchParams.get('state') ?? '';
      return gateway.request(`/api/auth/hosted/callback?error=access_denied&state=${state}`);
    });
    const { code } = await gateway.stop();
    figure('strangers, exit', String(code), code === 0);
  } finally {
    await stand.close();
    await provider.close();
  }
}

async function flood(stand: Stand, what: string, status: string, call: () => Promise<Response>) {
  const before = bytesIn(stand.site.dataDir);
  const load = startLoad(STRANGERS, call);
  await pause(FLOOD_MS);
  const tally: Tally = load.take();
  await load.stop();
  const grown = bytesIn(stand.site.dataDir) - before;
  const value = `${(grown / MEBIBYTE).toFixed(1)} MiB more after ${shown(tally)}`;
  figure(`strangers, a minute of ${what}`, value, grown < ALLOWED && only(tally, status));
}

function register(gateway: Started, bytes: number): Promise<Response> {
  const redirect_uris = [
    `${CALLBACK}?${'x'.repeat(bytes / 2)}`,
    `${CALLBACK}?${'y'.repeat(bytes / 2 - 100)}`,
  ];
  return gateway.request('/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris }),
  });
}

async function registered(gateway: Started): Promise<string> {
  const response = await gateway.request('/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: [CALLBACK] }),
  });
  const { client_id } = await response.json();
  return client_id;
}

const authorizePath = (client_id: string): string =>
  `/authorize?${new URLSearchParams({
    client_id,
    response_type: 'code',
    redirect_uri: CALLBACK,
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
    state: 'x'.repeat(2_048),
  })}`;

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).blocks * 512, 0);
}
