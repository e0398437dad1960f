// Requires a caller and an integration, or answers 401 and 404 as all of /rest does. reference: Challenge; REST
import type { Context } from 'hono';
import { createChallenge } from '../auth/challenge.ts';
import type { Identify } from '../auth/caller.ts';
import { ErrorText } from '../http/error-codes.ts';
import { HttpError } from '../http/errors.ts';
import type { Integration } from '../kit/integration.ts';
import type { Registry } from '../kit/registry.ts';
import type { Ports } from '../ports/ports.ts';
import { type Nearest, withNearest } from '../tools/nearest.ts';

type Needs = Pick<Ports, 'config'> & {
  registry: Registry;
  identify: Identify;
  nearest: Pick<Nearest, 'integrations'>;
};

interface Require {
  /** Returns the id of the calling user. */
  requireCaller: (c: Context) => Promise<string>;
  requireIntegration: (name: string) => Integration;
}

export function createRequire({ config, registry, identify, nearest }: Needs): Require {
  const challenge = createChallenge(config.SERVER_PUBLIC_URL);

  return {
    async requireCaller(c) {
      const userId = await identify(c.req.raw.headers);
      if (userId !== null) return userId;
      const body = { error: ErrorText.UNAUTHORIZED, resource_metadata: challenge.resourceMetadata };
      throw new HttpError(401, body, challenge.headers);
    },

    requireIntegration(name) {
      const integration = registry.integration(name);
      if (integration === null)
        throw new HttpError(
          404,
          withNearest(
            { error: ErrorText.INTEGRATION_NOT_FOUND, integration: name },
            nearest.integrations(name),
          ),
        );
      return integration;
    },
  };
}
