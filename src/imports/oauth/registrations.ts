// Keeps the OAuth clients of an import in one sealed row: the registered clients, and the issuer of a given one. decision: 045
import * as z from 'zod';
import { placeOfClient } from '../../connections/oauth/registered-clients.ts';
import { parseStoredJson } from '../../connections/model/stored-json.ts';
import type { Seal } from '../../crypto/seal.ts';
import { withLease } from '../../memory/with-lease.ts';
import type { Ports } from '../../ports/ports.ts';

const Registration = z.object({
  issuer: z.string(),
  clientId: z.string(),
  clientSecret: z.string().optional(),
  clientAuth: z.enum(['none', 'post', 'basic']),
  redirectUri: z.string(),
  /** Unix seconds; absent when the secret does not expire. */
  expiresAt: z.number().optional(),
  /** The provider does not know it any more, so nobody signs in with it again. */
  isForgotten: z.boolean().optional(),
});
export type Registration = z.infer<typeof Registration>;

const Kept = z.object({
  registrations: z.array(Registration),
  /** The issuer of each client that the importer has given, by client id. */
  given: z.record(z.string(), z.string()),
});
export type KeptClients = z.infer<typeof Kept>;

export interface Registrations {
  read(importId: string): Promise<KeptClients>;
  /** Changes what is kept, by one process at a time. `change` returns null to leave it. */
  update<T>(
    importId: string,
    change: (kept: KeptClients) => Promise<{ next: KeptClients | null; value: T }>,
  ): Promise<T>;
}

const MAX_REGISTRATIONS = 8;
const MAX_GIVEN = 8;
const LEASE_SECONDS = 40;
const POLL_MS = 100;

/** The key of the row. No integration has such a name. */
export const clientsKeyOf = (importId: string): string => `import:${importId}`;

type Needs = Pick<Ports, 'clock' | 'random' | 'store'> & { seal: Seal };

export function createRegistrations(deps: Needs): Registrations {
  const { clock, store, seal } = deps;

  /** Nothing is kept when no key opens the row: the gateway registers again. */
  async function read(importId: string): Promise<KeptClients> {
    const key = clientsKeyOf(importId);
    const row = await store.providerClients.get(key);
    const text = row === null ? null : await seal.open(row.sealed_client, placeOfClient(key));
    return Kept.safeParse(parseStoredJson(text ?? '')).data ?? { registrations: [], given: {} };
  }

  async function write(importId: string, { registrations, given }: KeptClients): Promise<void> {
    const integration = clientsKeyOf(importId);
    const kept: KeptClients = {
      registrations: registrations.slice(-MAX_REGISTRATIONS),
      given: Object.fromEntries(Object.entries(given).slice(-MAX_GIVEN)),
    };
    const sealed_client = await seal.seal(JSON.stringify(kept), placeOfClient(integration));
    await store.providerClients.put({ integration, sealed_client, updated_at: clock.now() });
  }

  return {
    read,

    async update(importId, change) {
      for (;;) {
        // A holder that was killed is waited for until its lease expires.
        const held = await withLease(deps, `import clients ${importId}`, LEASE_SECONDS, async () => {
          const { next, value } = await change(await read(importId));
          if (next !== null) await write(importId, next);
          return value;
        });
        if (held !== null) return held.value;
        await clock.sleep(POLL_MS);
      }
    },
  };
}
