// Shows administrators the state of the whole gateway: each feature says its own part. reference: State of the gateway
import { Hono } from 'hono';
import { type AdministratorNeeds, requireAdministrator } from '../auth/administrators.ts';
import { type PortalEnv, requirePortalUser } from '../auth/portal-user.ts';
import type { Identify } from '../kit/actor.ts';
import type { Feature } from '../kit/feature.ts';
import { INSTRUMENT_NAMES, INSTRUMENT_STATES, type Instrument } from '../kit/instrument.ts';
import type { Ports } from '../ports/ports.ts';
import { VERSION } from '../ports/version.ts';
import type { GatewayState } from './gateway-operations.ts';

type Needs<Deps> = Deps &
  AdministratorNeeds &
  Pick<Ports, 'clock'> & {
    features: readonly Pick<Feature<Deps>, 'name' | 'instruments'>[];
    identify: Identify;
  };

export function createGatewayRoute<Deps>(deps: Needs<Deps>): Hono<PortalEnv> {
  const { clock, features, identify } = deps;
  const startedAt = clock.now();
  const readers = features.flatMap(({ instruments }) =>
    instruments === undefined ? [] : [instruments(deps)],
  );
  const app = new Hono<PortalEnv>();

  app.get('/api/admin/gateway', requirePortalUser(identify), requireAdministrator(deps), async (c) => {
    const found = await Promise.all(readers.map((read) => read()));
    return c.json({
      version: VERSION,
      startedAt,
      instruments: found.flat().toSorted((one, other) => rankOf(one) - rankOf(other)),
    } satisfies GatewayState);
  });

  return app;
}

/** What is bad comes first, then the order of the names. */
const rankOf = ({ name, state }: Instrument): number =>
  INSTRUMENT_STATES.indexOf(state) * INSTRUMENT_NAMES.length + INSTRUMENT_NAMES.indexOf(name);
