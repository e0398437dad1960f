// Puts data keys in the place of keys elsewhere, before anything is sealed or opened. decision: 072
import { readFile } from 'node:fs/promises';
import type { Ask } from '../../drivers/keys/asking.ts';
import { createAwsKmsKeys } from '../../drivers/keys/aws-kms.ts';
import { createVaultKeys, type VaultLogin } from '../../drivers/keys/vault.ts';
import type { OutsideKey } from '../../src/config/config-fields.ts';
import type { Config } from '../../src/config/config.ts';
import { openDataKey } from '../../src/crypto/data-keys.ts';
import { createEgress } from '../../src/egress/door.ts';
import type { KeyService } from '../../src/ports/key-service.ts';
import type { Ports } from '../../src/ports/ports.ts';
import { Unavailable } from '../../src/ports/unavailable.ts';

/** A start of the gateway waits for a service that is away. A command does not. */
const RETRY_MS = [1_000, 2_000, 5_000, 10_000, 30_000];
const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 64 * 1024;
const ACCOUNT_TOKEN = '/var/run/secrets/kubernetes.io/serviceaccount/token';

type Needs = Pick<Ports, 'clock' | 'network'>;

export function openKeyService(key: OutsideKey, config: Config, { clock, network }: Needs): KeyService {
  // The operator has chosen the service, so it may have a private address.
  const chosen = { EGRESS_ALLOW: [], UPSTREAM_MAP: [], loopback: true };
  const egress = createEgress({ clock, network, config: chosen });
  const fetch: Ask = (url, init) =>
    egress.fetch(url, { ...init, redirects: 0, timeoutMs: TIMEOUT_MS, maxBytes: MAX_ANSWER_BYTES });
  switch (key.service) {
    case 'vault':
      return createVaultKeys({
        address: config.VAULT_ADDR ?? '',
        namespace: config.VAULT_NAMESPACE,
        mount: key.mount,
        key: key.key,
        login: loginOf(config),
        fetch,
      });
    case 'awskms':
      return createAwsKmsKeys({
        keyId: key.keyId,
        region: config.AWS_REGION,
        endpoint: config.AWS_ENDPOINT_URL_KMS,
        accessKeyId: config.AWS_ACCESS_KEY_ID ?? '',
        secretAccessKey: config.AWS_SECRET_ACCESS_KEY ?? '',
        sessionToken: config.AWS_SESSION_TOKEN,
        fetch,
      });
  }
}

/** The configuration requires one of the three. */
function loginOf(config: Config): VaultLogin {
  const { VAULT_TOKEN, VAULT_ROLE_ID, VAULT_SECRET_ID, VAULT_KUBERNETES_ROLE } = config;
  if (VAULT_TOKEN !== undefined) return { token: VAULT_TOKEN };
  if (VAULT_ROLE_ID !== undefined && VAULT_SECRET_ID !== undefined)
    return { roleId: VAULT_ROLE_ID, secretId: VAULT_SECRET_ID };
  return {
    kubernetesRole: VAULT_KUBERNETES_ROLE ?? '',
    readToken: async () => (await readFile(ACCOUNT_TOKEN, 'utf8')).trim(),
  };
}

/** Returns the configuration with the data keys themselves. */
export async function openOutsideKeys(
  config: Config,
  needs: Needs & Pick<Ports, 'log' | 'store'>,
  waits: boolean,
): Promise<Config> {
  const { ENCRYPTION_KEY: current, ENCRYPTION_KEY_PREVIOUS: previous } = config;
  const { clock, log, store } = needs;

  async function open(name: string, key: OutsideKey): Promise<string> {
    const service = openKeyService(key, config, needs);
    for (let attempt = 0; ; attempt++) {
      try {
        return await openDataKey(key, { store, service });
      } catch (error) {
        const wait = RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)];
        const why = error instanceof Error ? error.message : String(error);
        if (!waits || wait === undefined || !(error instanceof Unavailable))
          throw new Error(`The key of ${name} cannot be opened: ${why}`, { cause: error });
        const hint = 'the gateway serves once it has opened this key';
        log.write('error', `the key of ${name} cannot be opened`, { why, hint, retryMs: wait });
        await clock.sleep(wait);
      }
    }
  }

  return {
    ...config,
    ENCRYPTION_KEY: typeof current === 'object' ? await open('ENCRYPTION_KEY', current) : current,
    ENCRYPTION_KEY_PREVIOUS:
      typeof previous === 'object' ? await open('ENCRYPTION_KEY_PREVIOUS', previous) : previous,
  };
}
