// Warns the operator about OAuth clients that nobody can use. reference: Environment variables
import { describe } from '../../http/errors.ts';
import type { Config } from '../../config/config.ts';
import type { Registry } from '../../kit/registry.ts';
import type { Ports } from '../../ports/ports.ts';
import type { RegisteredClients } from './registered-clients.ts';

type Needs = Pick<Ports, 'config' | 'log'> & { registry: Registry; registeredClients: RegisteredClients };

/** Usually the name of such a client is misspelt. A client without its secret cannot finish a sign-in. */
export async function warnOfStrayClients({ config, log, registry, registeredClients }: Needs): Promise<void> {
  for (const variable of missingSecrets(config, registry))
    log.write('warn', 'OAuth client without its secret', {
      hint: `nobody can sign in with it: set ${variable}`,
    });
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

function missingSecrets({ clients }: Pick<Config, 'clients'>, registry: Registry): string[] {
  return Object.entries(clients).flatMap(([name, { clientSecret }]) => {
    const auth = registry.integration(name)?.auth;
    const needsSecret = auth?.type === 'oauth2' && auth.clientAuth !== 'none';
    return needsSecret && clientSecret === undefined ? `${name.toUpperCase()}_CLIENT_SECRET` : [];
  });
}
