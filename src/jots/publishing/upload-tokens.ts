// Stores a deploy request under the hash of an upload token until its archive arrives. Only one upload can take it. reference: Jot uploads
import { JOT_UPLOAD_SECONDS } from '../../config/limits.ts';
import { toHex } from '../../crypto/encoding.ts';
import type { Ports } from '../../ports/ports.ts';
import { DeployRequest } from './deploy-request.ts';

const TOKEN = /^[0-9a-f]{64}$/;
/** The prefixes keep an upload from taking the state of another kind of flow, and a stored hash from being a token. */
const HASHED = '__jot_upload_hash__';
const PLAIN = '__jot_upload__';

export interface UploadTokens {
  mint(request: DeployRequest): Promise<{ token: string; expiresAt: number }>;
  /** Resolves to null where the token is unknown, used or too old. */
  take(token: string): Promise<DeployRequest | null>;
}

export function createUploadTokens({
  clock,
  digest,
  random,
  store,
}: Pick<Ports, 'clock' | 'digest' | 'random' | 'store'>): UploadTokens {
  const toState = (token: string): string => `${HASHED}${digest.sha256(token)}`;
  return {
    async mint(request) {
      const token = toHex(random.bytes(32));
      const expiresAt = clock.now() + JOT_UPLOAD_SECONDS;
      await store.flows.put({
        state: toState(token),
        user_id: request.userId,
        integration: PLAIN,
        expires_at: expiresAt,
        session_data: JSON.stringify(request),
        code_verifier: null,
        config: null,
      });
      return { token, expiresAt };
    },

    async take(token) {
      if (!TOKEN.test(token)) return null;
      // Version 0.1 stored the token itself. Such a token lives for 15 minutes and stays valid until then.
      const flow = (await store.flows.take(toState(token))) ?? (await store.flows.take(`${PLAIN}${token}`));
      if (flow === null || flow.session_data === null || flow.expires_at <= clock.now()) return null;
      return DeployRequest.parse(JSON.parse(flow.session_data));
    },
  };
}
