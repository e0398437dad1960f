// Wraps the data key by the transit engine of Vault or OpenBao. decision: 072
import { DriverFailure } from '../../src/ports/driver-failure.ts';
import type { KeyService } from '../../src/ports/key-service.ts';
import { Unavailable } from '../../src/ports/unavailable.ts';
import { type Ask, cannotReach, field, readAnswer, readText } from './asking.ts';

/** How the gateway proves who it is. */
export type VaultLogin =
  | { token: string }
  | { roleId: string; secretId: string }
  /** Reads the token of the pod's service account, which Kubernetes replaces now and then. */
  | { kubernetesRole: string; readToken: () => Promise<string> };

export interface VaultOptions {
  /** For example https://vault.internal:8200 */
  address: string;
  namespace?: string | undefined;
  /** The path of the transit engine. */
  mount: string;
  key: string;
  login: VaultLogin;
  fetch: Ask;
}

const MAX_REASON_CHARACTERS = 300;

export function createVaultKeys({ address, namespace, mount, key, login, fetch }: VaultOptions): KeyService {
  const what = `the key ${key} of ${mount}`;

  async function post(path: string, body: object, token?: string): Promise<unknown> {
    const headers = {
      'content-type': 'application/json',
      'x-vault-request': 'true',
      ...(namespace === undefined ? {} : { 'x-vault-namespace': namespace }),
      ...(token === undefined ? {} : { 'x-vault-token': token }),
    };
    const response = await fetch(`${address}/v1/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    }).catch(cannotReach('vault', address));
    const answer = await readAnswer(response);
    if (response.ok) return answer;
    throw refusal(path, response.status, answer);
  }

  // Each start and each rotation signs in once, so no token is kept or renewed.
  async function signIn(): Promise<string> {
    if ('token' in login) return login.token;
    const answer =
      'roleId' in login
        ? await post('auth/approle/login', { role_id: login.roleId, secret_id: login.secretId })
        : await post('auth/kubernetes/login', {
            role: login.kubernetesRole,
            jwt: await login.readToken(),
          });
    return textOf(answer, 'auth', 'client_token');
  }

  const ask = async (operation: string, body: object) =>
    post(`${mount}/${operation}/${key}`, body, await signIn());

  return {
    async create() {
      // Unlike an encryption, this makes no key where its name is wrong.
      const answer = await ask('datakey/plaintext', { bits: 256 });
      return {
        key: Buffer.from(textOf(answer, 'data', 'plaintext'), 'base64'),
        wrapped: textOf(answer, 'data', 'ciphertext'),
      };
    },
    async unwrap(wrapped) {
      const answer = await ask('decrypt', { ciphertext: wrapped });
      return Buffer.from(textOf(answer, 'data', 'plaintext'), 'base64');
    },
    async rewrap(wrapped) {
      return textOf(await ask('rewrap', { ciphertext: wrapped }), 'data', 'ciphertext');
    },
  };

  function refusal(path: string, status: number, answer: unknown): Error {
    const errors = field(answer, 'errors');
    const said = (Array.isArray(errors) ? errors.join('; ') : '').slice(0, MAX_REASON_CHARACTERS).trim();
    const reason = `[vault] ${path}: ${status} ${said}`.trim();
    // 429 and 473 come from nodes that stand by, 503 from one that is sealed.
    if (status === 429 || status === 473 || status >= 500) return new Unavailable(reason);
    const cure =
      status === 403
        ? `Give the gateway's token "update" on ${mount}/datakey/plaintext/${key}, ${mount}/decrypt/${key} and ${mount}/rewrap/${key}.`
        : `Check ${path.startsWith('auth/') ? `the role and the secret at ${path}` : what}, VAULT_ADDR and VAULT_NAMESPACE.`;
    return new DriverFailure(`${reason}. ${cure}`);
  }
}

function textOf(answer: unknown, group: string, name: string): string {
  const text = readText(field(answer, group), name);
  if (text !== '') return text;
  throw new DriverFailure(`[vault] the answer has no ${name}: VAULT_ADDR is not the address of a Vault`);
}
