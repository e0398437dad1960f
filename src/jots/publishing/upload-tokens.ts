// Keeps a deploy request behind an upload token until its archive arrives. reference: Jot uploads
import { createUploadTokens } from '../../http/upload-tokens.ts';
import type { Ports } from '../../ports/ports.ts';
import { DeployRequest } from './deploy-request.ts';

export interface DeployTokens {
  mint(request: DeployRequest): Promise<{ token: string; expiresAt: number }>;
  /** Resolves to null where the token is unknown, used or too old. */
  take(token: string): Promise<DeployRequest | null>;
}

export function createDeployTokens(
  ports: Pick<Ports, 'clock' | 'digest' | 'random' | 'store'>,
): DeployTokens {
  const kind = {
    hashed: '__jot_upload_hash__',
    name: '__jot_upload__',
    kind: 'deploy' as const,
    acceptsPlain: true,
  };
  const tokens = createUploadTokens(ports, kind);
  return {
    mint: (request) => tokens.mint(request.userId, JSON.stringify(request)),
    async take(token) {
      const taken = await tokens.take(token);
      return taken === null ? null : DeployRequest.parse(JSON.parse(taken.request));
    },
  };
}
