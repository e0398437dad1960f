// Keeps what a provider granted until the person confirms the connection: sealed, for ten minutes, for one answer.
// decision: 025
import { base64url } from 'jose';
import { timingSafeEqual } from 'hono/utils/buffer';
import * as z from 'zod';
import { FLOW_SECONDS } from '../../auth/limits.ts';
import type { Place, Seal } from '../../crypto/seal.ts';
import type { Ports } from '../../ports/ports.ts';
import { connectionStatus } from '../model/schemas.ts';
import { WantedAccount } from '../model/wanted-account.ts';

/** Marks the row of a question among the pending flows. */
const FLOW = '__connect_confirm__';

const CredentialState = z.object({
  status: connectionStatus().nullable(),
  cause: z.string().nullable(),
  since: z.number().nullable(),
  checked_at: z.number().nullable(),
  account_id: z.string().nullable(),
  account_label: z.string().nullable(),
});

const Kept = z.object({
  binding: z.string(),
  connection: z.object({
    accessToken: z.string(),
    refreshToken: z.string().nullable(),
    expiresAt: z.number().nullable(),
    scopes: z.string(),
    config: z.record(z.string(), z.string()),
    // A version that does not check grants has asked the question when it is absent.
    // The stored name is that of version 0.2: an answer may come after an upgrade.
    standing: CredentialState.exactOptional(),
  }),
  wanted: WantedAccount.exactOptional(),
  team: z.literal(true).exactOptional(),
  link: z.string().exactOptional(),
});

type KeptConnection = z.infer<typeof Kept>['connection'];
/** What is stored as the connection once the person agrees. */
export type GrantedConnection = Omit<KeptConnection, 'standing'> & {
  state?: NonNullable<KeptConnection['standing']>;
};

export interface Grant {
  userId: string;
  integration: string;
  connection: GrantedConnection;
  /** Absent where the person has named no account. */
  wanted?: WantedAccount;
  /** Whether the connection is for everyone. The person is the administrator who connects. */
  team?: true;
  /** The link of an actor that the grant belongs to. decision: 074 */
  link?: string;
}

export interface Confirmations {
  /** Returns the id of the question. Only the browser with this binding can answer it. */
  put(grant: Grant, binding: string): Promise<string>;
  /** Uses the question up, whatever the answer is. Null when it was not asked in this browser or is over. */
  take(integration: string, id: string, binding: string | undefined): Promise<Grant | null>;
}

type Needs = Pick<Ports, 'clock' | 'config' | 'random' | 'store'> & { seal: Seal };

export function createConfirmations({ clock, config, random, store, seal }: Needs): Confirmations {
  const placeOf = (userId: string, integration: string): Place => [userId, integration, FLOW];

  return {
    async put({ userId, integration, connection: { state, ...connection }, ...asked }, binding) {
      const id = base64url.encode(random.bytes(32));
      const kept = JSON.stringify({
        binding,
        connection: { ...connection, ...(state === undefined ? {} : { standing: state }) },
        ...asked,
      } satisfies z.infer<typeof Kept>);
      await store.flows.put(
        {
          state: id,
          user_id: userId,
          integration: FLOW,
          expires_at: clock.now() + FLOW_SECONDS,
          session_data: await seal.seal(kept, placeOf(userId, integration)),
          code_verifier: null,
          config: null,
        },
        { kind: 'confirm', most: config.PERSON_MAX_PENDING },
      );
      return id;
    },

    async take(integration, id, binding) {
      const flow = await store.flows.take(id);
      if (flow === null || flow.integration !== FLOW || flow.expires_at <= clock.now()) return null;
      const userId = flow.user_id ?? '';
      const opened = await seal.open(flow.session_data ?? '', placeOf(userId, integration));
      if (opened === null) return null;
      const { binding: asked, connection, ...granted } = Kept.parse(JSON.parse(opened));
      if (!(await timingSafeEqual(asked, binding ?? ''))) return null;
      const { standing: state, ...rest } = connection;
      return {
        userId,
        integration,
        connection: { ...rest, ...(state === undefined ? {} : { state }) },
        ...granted,
      };
    },
  };
}
