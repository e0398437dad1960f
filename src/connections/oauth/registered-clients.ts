// Finds and keeps the OAuth clients that this gateway has at providers: those of the environment, then those of the portal.
// reference: OAuth clients of integrations; decision: 027
import * as z from 'zod';
import type { RegisteredClient } from '../../config/config-fields.ts';
import type { Place, Seal } from '../../crypto/seal.ts';
import type { Integration } from '../../kit/integration.ts';
import type { Family } from '../../kit/manifest.ts';
import type { Registry } from '../../kit/registry.ts';
import type { Ports } from '../../ports/ports.ts';
import type { ProviderClient } from '../../ports/records.ts';
import { parseStoredJson } from '../model/stored-json.ts';

export interface FoundClient {
  source: 'environment' | 'portal';
  /** Null when no encryption key opens the stored client. */
  client: RegisteredClient | null;
  /** Set when the client serves every integration of the family that has none of its own. */
  family?: Family;
}

export interface FindsClients {
  /** Null where neither the environment nor an administrator has set a client. */
  find(integration: string): Promise<FoundClient | null>;
}

/** Reads the store at each call: all processes see a change at once, and no call of a tool reads unless it refreshes. */
export interface RegisteredClients extends FindsClients {
  /** Reads all clients at once, for somebody who asks for several. */
  readAll(): Promise<FindsClients>;
  /** The names of the integrations with a client. */
  names(): Promise<ReadonlySet<string>>;
  isInEnvironment(integration: string): boolean;
  /** Reads the client of a family, also where each member has one of its own. */
  findOfFamily(family: Family): Promise<FoundClient | null>;
  /** `key` is the name of an integration, or `keyOfFamily`. */
  save(key: string, client: RegisteredClient): Promise<void>;
  /** Returns false when nothing was stored. */
  remove(key: string): Promise<boolean>;
}

/** Names of integrations have no colon. */
const FAMILY = 'family:';
export const keyOfFamily = ({ name }: Family): string => FAMILY + name;

export const placeOfClient = (integration: string): Place => ['', integration, 'provider_client'];

const Client = z.object({ clientId: z.string(), clientSecret: z.string().optional() });
const Stored = Client.extend({ instances: z.record(z.string(), Client) });

type Needs = Pick<Ports, 'clock' | 'config' | 'store'> & { registry: Registry; seal: Seal };

export function createRegisteredClients({ clock, config, registry, store, seal }: Needs): RegisteredClients {
  const clients = store.providerClients;
  const isInEnvironment = (integration: string) => Object.hasOwn(config.clients, integration);

  async function open(integration: string, sealed: string): Promise<RegisteredClient | null> {
    const text = await seal.open(sealed, placeOfClient(integration));
    return text === null ? null : (Stored.safeParse(parseStoredJson(text)).data ?? null);
  }

  /** `read` reads the row of an integration. */
  const findWith = async (
    read: (integration: string) => Promise<ProviderClient | null>,
    integration: string,
  ): ReturnType<FindsClients['find']> => {
    const set = isInEnvironment(integration) ? config.clients[integration] : undefined;
    if (set !== undefined) return { source: 'environment', client: set };
    const row = await read(integration);
    if (row !== null) return { source: 'portal', client: await open(integration, row.sealed_client) };
    const family = familyOf(registry.integration(integration));
    return family === undefined ? null : findFamily(read, family);
  };

  async function findFamily(
    read: (key: string) => Promise<ProviderClient | null>,
    family: Family,
  ): Promise<FoundClient | null> {
    const key = keyOfFamily(family);
    const row = await read(key);
    return row === null ? null : { source: 'portal', client: await open(key, row.sealed_client), family };
  }

  return {
    isInEnvironment,
    find: (integration) => findWith((name) => clients.get(name), integration),

    findOfFamily: (family) => findFamily((key) => clients.get(key), family),

    async readAll() {
      const rows = new Map((await clients.list()).map((row) => [row.integration, row]));
      const read = async (integration: string) => rows.get(integration) ?? null;
      return { find: (integration) => findWith(read, integration) };
    },

    async names() {
      const stored = (await clients.list()).map(({ integration }) => integration);
      const members = stored
        .filter((key) => key.startsWith(FAMILY))
        .flatMap((key) => membersOf(registry, key.slice(FAMILY.length)));
      const own = stored.filter((key) => !key.startsWith(FAMILY));
      return new Set([...Object.keys(config.clients), ...own, ...members.map(({ name }) => name)]);
    },

    async save(integration, client) {
      const sealed_client = await seal.seal(JSON.stringify(client), placeOfClient(integration));
      await clients.put({ integration, sealed_client, updated_at: clock.now() });
    },

    remove: (integration) => clients.delete(integration),
  };
}

export const familyOf = (integration: Integration | null): Family | undefined =>
  integration?.auth.type === 'oauth2' ? integration.auth.family : undefined;

/** The integrations that the client of a family can serve. */
export const membersOf = (registry: Registry, family: string): Integration[] =>
  registry.integrations.filter((integration) => familyOf(integration)?.name === family);
