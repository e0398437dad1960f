// Sets up what the tasks need: a gateway process, the providers behind it, and the person who owns the accounts.
import { type Gateway, startGateway } from '../servers.ts';
import { createPerson, type Person } from './person.ts';
import { type Providers, startProviders } from './providers.ts';

export interface Stage {
  gateway: Gateway;
  person: Person;
  providers: Providers;
  close(): Promise<void>;
}

export async function openStage(): Promise<Stage> {
  const providers = await startProviders();
  const gateway = await startGateway(undefined, providers.env);
  return {
    gateway,
    person: createPerson(gateway),
    providers,
    async close() {
      await gateway.stop();
      await providers.close();
    },
  };
}
