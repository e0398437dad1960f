// Stores a deploy request under an upload token until its archive arrives. Only one upload can take it. reference: Jot uploads
import { JOT_UPLOAD_SECONDS } from '../../config/limits.ts';
import { toHex } from '../../crypto/encoding.ts';
import type { Ports } from '../../ports/ports.ts';
import { DeployRequest } from './deploy-request.ts';

const KIND = '__jot_upload__';
const TOKEN = /^[0-9a-f]{64}$/;
/** The prefix keeps an upload from taking the state of another kind of flow. */
const toState = (token: string): string => `${KIND}${token}`;

export interface UploadTokens {
  mint(request: DeployRequest): Promise<{ token: string; expiresAt: number }>;
  /** Resolves to null where the token is unknown, used or too old. */
  take(token: string): Promise<DeployRequest | null>;
}

export function createUploadTokens({
  clock,
  random,
  store,
}: Pick<Ports, 'clock' | 'random' | 'store'>): UploadTokens {
  return {
    async mint(request) {
      const token = toHex(random.bytes(32));
      const expiresAt = clock.now() + JOT_UPLOAD_SECONDS;
      await store.flows.put({
        state: toState(token),
        user_id: request.userId,
        integration: KIND,
        expires_at: expiresAt,
        session_data: JSON.stringify(request),
        code_verifier: null,
        config: null,
      });
      return { token, expiresAt };
    },

    async take(token) {
      if (!TOKEN.test(token)) return null;
      const flow = await store.flows.take(toState(token));
      if (flow === null || flow.session_data === null || flow.expires_at <= clock.now()) return null;
      return DeployRequest.parse(JSON.parse(flow.session_data));
    },
  };
}
