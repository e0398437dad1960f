// Requires a caller and an integration, or answers 401 and 404 as all of /rest does. reference: Challenge; REST
import type { Context } from 'hono';
import { createChallenge } from '../auth/challenge.ts';
import type { Identify } from '../auth/caller.ts';
import { ErrorText } from '../http/error-codes.ts';
import { HttpError } from '../http/errors.ts';
import type { Integration } from '../kit/integration.ts';
import type { Registries } from '../kit/registries.ts';
import type { Ports } from '../ports/ports.ts';
import { withNearest } from '../tools/nearest.ts';
import type { ToolboxOf } from '../tools/toolbox.ts';

type Needs = Pick<Ports, 'config'> & {
  registries: Registries;
  identify: Identify;
  toolboxOf: ToolboxOf;
};

interface Require {
  /** Returns the id of the calling user. */
  requireCaller: (c: Context) => Promise<string>;
  requireIntegration: (userId: string, name: string) => Promise<Integration>;
}

export function createRequire({ config, registries, identify, toolboxOf }: Needs): Require {
  const challenge = createChallenge(config.SERVER_PUBLIC_URL);

  return {
    async requireCaller(c) {
      const userId = await identify(c.req.raw.headers);
      if (userId !== null) return userId;
      const body = { error: ErrorText.UNAUTHORIZED, resource_metadata: challenge.resourceMetadata };
      throw new HttpError(401, body, challenge.headers);
    },

    async requireIntegration(userId, name) {
      const integration = await registries.integration(userId, name);
      if (integration === null)
        throw new HttpError(
          404,
          withNearest(
            { error: ErrorText.INTEGRATION_NOT_FOUND, integration: name },
            (await toolboxOf(userId)).nearest.integrations(name),
          ),
        );
      return integration;
    },
  };
}
