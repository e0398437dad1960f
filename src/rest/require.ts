// Requires a caller and an integration, or answers 401 and 404 as all of /rest does. reference: Challenge; REST
import type { Context } from 'hono';
import type { RequestEnv } from '../http/observe.ts';
import { createChallenge, refuseStranger } from '../auth/challenge.ts';
import type { Identify, Identity } from '../kit/actor.ts';
import { ErrorText } from '../http/error-codes.ts';
import { HttpError } from '../http/errors.ts';
import type { Integration } from '../kit/integration.ts';
import type { Registries } from '../kit/registries.ts';
import { NO_SET } from '../kit/set-address.ts';
import type { Ports } from '../ports/ports.ts';
import type { SetRecord } from '../ports/sets.ts';
import type { ToolSets } from '../sets/model/tool-sets.ts';
import { withNearest } from '../search/nearest.ts';
import type { ToolboxOf } from '../search/toolbox.ts';
import type { Visibility, VisibleTools } from '../policy/model/visibility.ts';

type Needs = Pick<Ports, 'config'> & {
  registries: Registries;
  identify: Identify;
  toolboxOf: ToolboxOf;
  toolSets: ToolSets;
  visibility: Visibility;
};

interface Require {
  requireCaller: (c: Context<RequestEnv>) => Promise<Identity>;
  requireIntegration: (caller: Identity, name: string) => Promise<Integration>;
  /** Answers 404 for a set of nobody and for one of somebody else. */
  requireSet: (caller: Identity, name: string) => Promise<SetRecord>;
  /** Answers 403 for an integration of which the caller may use nothing. */
  requireTools: (caller: Identity, integration: Integration) => Promise<VisibleTools>;
}

export function createRequire({
  config,
  registries,
  identify,
  toolboxOf,
  toolSets,
  visibility,
}: Needs): Require {
  const challenge = createChallenge(config.SERVER_PUBLIC_URL);

  return {
    async requireCaller(c) {
      const identity = await identify(c.req.raw.headers);
      if (identity !== null) {
        c.set('userId', identity.userId);
        c.get('trace')?.admit();
        return identity;
      }
      throw refuseStranger(challenge);
    },

    async requireIntegration(caller, name) {
      const integration = await registries.integration(caller.userId, name);
      if (integration === null)
        throw new HttpError(
          404,
          withNearest(
            { error: ErrorText.INTEGRATION_NOT_FOUND, integration: name },
            (await toolboxOf(caller)).nearest.integrations(name),
          ),
        );
      return integration;
    },

    async requireSet({ userId }, name) {
      const set = await toolSets.find(userId, name);
      if (set === null) throw new HttpError(404, { error: NO_SET });
      return set;
    },

    async requireTools(caller, integration) {
      const visible = await visibility.toolsOf(caller, integration);
      if ('error' in visible) throw new HttpError(403, { ...visible });
      return visible;
    },
  };
}
