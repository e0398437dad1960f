// Upload tokens: an request that waits for its archive. Taken once, by exactly one of any number. spec: Jots, upload
import { toHex } from '../../crypto/encoding.ts';
import type { Ports } from '../../ports/ports.ts';
import { JOT_UPLOAD_SECONDS } from '../../config/limits.ts';
import type { DeployRequest } from './deploy-request.ts';

const KIND = '__jot_upload__';
const TOKEN = /^[0-9a-f]{64}$/;
/** Beside the states of other flows, which nobody may burn here. */
const stateOf = (token: string): string => `${KIND}${token}`;

export interface UploadTokens {
  mint(request: DeployRequest): Promise<{ token: string; expiresAt: number }>;
  /** Null when it is unknown, used or too old. */
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
        state: stateOf(token),
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
      const flow = await store.flows.take(stateOf(token));
      if (flow === null || flow.session_data === null || flow.expires_at <= clock.now()) return null;
      // `mint` is the only writer of flows of this kind.
      const request: DeployRequest = JSON.parse(flow.session_data);
      return request;
    },
  };
}
