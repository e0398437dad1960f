// Stores what an upload is for under the hash of its token, until the bytes arrive. Only one upload can take it.
import { UPLOAD_SECONDS, UPLOADS_OFFERED } from './limits.ts';
import { toHex } from '../crypto/encoding.ts';
import type { Ports } from '../ports/ports.ts';
import type { Flow } from '../ports/records.ts';
import type { FlowBound } from '../ports/store.ts';

const TOKEN = /^[0-9a-f]{64}$/;

export interface UploadTokens {
  mint(userId: string, request: string): Promise<{ token: string; expiresAt: number }>;
  /** Resolves to null where the token is unknown, used or too old. */
  take(token: string): Promise<{ userId: string; request: string } | null>;
}

/** The prefixes keep an upload from taking the state of another kind of flow, and a stored hash from being a token. */
export interface UploadKind {
  /** The prefix of stored hashes. */
  hashed: string;
  /** The name of the kind in the row. */
  name: string;
  /** What the offers of a person count as. */
  kind: FlowBound['kind'];
  /** Version 0.1 stored the token itself after the name. Such a token lives for 15 minutes and stays valid until then. */
  acceptsPlain?: boolean;
}

export function createUploadTokens(
  { clock, digest, random, store }: Pick<Ports, 'clock' | 'digest' | 'random' | 'store'>,
  { hashed, name, kind, acceptsPlain = false }: UploadKind,
): UploadTokens {
  const toState = (token: string): string => `${hashed}${digest.sha256(token)}`;

  async function takeFlow(token: string): Promise<Flow | null> {
    const flow = await store.flows.take(toState(token));
    return flow === null && acceptsPlain ? store.flows.take(`${name}${token}`) : flow;
  }

  return {
    async mint(userId, request) {
      const token = toHex(random.bytes(32));
      const expiresAt = clock.now() + UPLOAD_SECONDS;
      await store.flows.put(
        {
          state: toState(token),
          user_id: userId,
          integration: name,
          expires_at: expiresAt,
          session_data: request,
          code_verifier: null,
          config: null,
        },
        { kind, most: UPLOADS_OFFERED },
      );
      return { token, expiresAt };
    },

    async take(token) {
      if (!TOKEN.test(token)) return null;
      const flow = await takeFlow(token);
      if (flow === null || flow.session_data === null || flow.expires_at <= clock.now()) return null;
      return { userId: flow.user_id ?? '', request: flow.session_data };
    },
  };
}
