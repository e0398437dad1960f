// Sets up what the tasks need: a gateway process, the providers behind it, and the person who owns the accounts.
import { type Gateway, startGateway } from '../servers.ts';
import { openAgent } from './conversation.ts';
import { createPerson, type Person } from './person.ts';
import { type Providers, startProviders } from './providers.ts';

type Lack = 'search_tools with limit' | 'upload_file';

export interface Stage {
  gateway: Gateway;
  person: Person;
  providers: Providers;
  /** What this gateway does not have yet, of what today's way uses. */
  lacks: Lack[];
  close(): Promise<void>;
}

export async function openStage(): Promise<Stage> {
  const providers = await startProviders();
  const gateway = await startGateway(undefined, providers.env);
  return {
    lacks: await findLacks(gateway),
    gateway,
    person: createPerson(gateway),
    providers,
    async close() {
      await gateway.stop();
      await providers.close();
    },
  };
}

async function findLacks({ url, apiKey }: Gateway): Promise<Lack[]> {
  const agent = await openAgent(url, apiKey);
  const isRanked = agent.takes('search_tools', 'limit');
  const found = await agent.call('search_tools', { query: 'upload_file' });
  await agent.close();
  return [
    ...(isRanked ? [] : (['search_tools with limit'] as const)),
    ...(found.includes('"upload_file"') ? [] : (['upload_file'] as const)),
  ];
}
