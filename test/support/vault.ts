// Starts a real Vault that keeps its state on a disk, so that it can be stopped, sealed and started again.
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Program, runProgram } from './gateway-process.ts';
import { freePort } from './listen.ts';
import { waitUntil } from './wait.ts';

const PROGRAM = join(import.meta.dirname, '../keys/.bin/vault');

/** Why the tests with Vault cannot run here, or undefined. */
export const missingVault = existsSync(PROGRAM) ? undefined : `${PROGRAM} is not there; npm run keys`;

export interface Vault {
  address: string;
  /** A token that may do everything. */
  root: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  unseal(): Promise<void>;
  /** Sends a request with the root token, and returns what Vault answers. */
  ask(method: string, path: string, body?: object): Promise<{ status: number; body: Answer }>;
  close(): Promise<void>;
}

/** The fields that tests read. */
interface Answer {
  auth?: { client_token: string };
  data?: Record<string, unknown>;
}

export async function openVault(): Promise<Vault> {
  const folder = await mkdtemp(join(tmpdir(), 'vault-'));
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const config = join(folder, 'vault.json');
  await writeFile(
    config,
    JSON.stringify({
      storage: { raft: { path: folder, node_id: 'one' } },
      listener: { tcp: { address: `127.0.0.1:${port}`, tls_disable: true } },
      api_addr: address,
      cluster_addr: `http://127.0.0.1:${await freePort()}`,
      disable_mlock: true,
    }),
  );
  let program: Program | null = null;
  let root = '';
  let key = '';

  async function send(method: string, path: string, body?: object) {
    const response = await fetch(`${address}/v1/${path}`, {
      method,
      headers: { 'x-vault-token': root },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, text };
  }

  async function must(method: string, path: string, body?: object): Promise<string> {
    const { status, text } = await send(method, path, body);
    if (status >= 300) throw new Error(`${path}: ${status} ${text}`);
    return text;
  }

  const vault: Vault = {
    address,
    get root() {
      return root;
    },
    async start() {
      program = runProgram([PROGRAM, 'server', `-config=${config}`], { HOME: folder });
      await program.says('Vault server started!');
    },
    async stop() {
      program?.signal('SIGKILL');
      await program?.exited;
      program = null;
    },
    async unseal() {
      await must('POST', 'sys/unseal', { key });
      // A node has to become the leader, even if it is the only one.
      let last = 0;
      const isActive = async () => (last = (await send('GET', 'sys/health')).status) === 200;
      await waitUntil('the active Vault', isActive, () => last);
    },
    async ask(method, path, body) {
      const { status, text } = await send(method, path, body);
      return { status, body: text === '' ? {} : JSON.parse(text) };
    },
    async close() {
      await vault.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  await vault.start();
  const made = JSON.parse(await must('POST', 'sys/init', { secret_shares: 1, secret_threshold: 1 }));
  [key, root] = [made.keys_base64[0], made.root_token];
  await vault.unseal();
  await must('POST', 'sys/mounts/transit', { type: 'transit' });
  await must('POST', 'transit/keys/gateway', {});
  const update = { capabilities: ['update'] };
  const paths = ['datakey/plaintext', 'decrypt', 'rewrap'].map((name) => [`transit/${name}/gateway`, update]);
  await must('PUT', 'sys/policies/acl/gateway', {
    policy: JSON.stringify({ path: Object.fromEntries(paths) }),
  });
  return vault;
}

/** A token that may do what the documentation asks for, and nothing else. */
export async function tokenOfGateway(vault: Vault): Promise<string> {
  const { body } = await vault.ask('POST', 'auth/token/create', {
    policies: ['gateway'],
    no_default_policy: true,
  });
  return body.auth?.client_token ?? '';
}
