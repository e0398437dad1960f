// Warns the operator about OAuth clients without an integration of their name. reference: Environment variables
import { describe } from '../../http/errors.ts';
import type { Registry } from '../../kit/registry.ts';
import type { Ports } from '../../ports/ports.ts';
import type { RegisteredClients } from './registered-clients.ts';

type Needs = Pick<Ports, 'log'> & { registry: Registry; registeredClients: RegisteredClients };

/** Usually the name of such a client is misspelt. */
export async function warnOfStrayClients({ log, registry, registeredClients }: Needs): Promise<void> {
  try {
    for (const name of await registeredClients.names()) {
      if (registry.integration(name)?.auth.type === 'oauth2') continue;
      const variable = `${name.toUpperCase()}_CLIENT_ID`;
      const where = registeredClients.isInEnvironment(name) ? { variable } : { integration: name };
      log.write('warn', 'OAuth client without an integration', where);
    }
  } catch (error) {
    log.write('error', 'the OAuth clients of the portal could not be read', describe(error));
  }
}
