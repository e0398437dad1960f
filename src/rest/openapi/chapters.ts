// Orders the operations of all features as a reader wants them: by tag. reference: OpenAPI
import type { Operation, RouteName, SharedSchemaName } from '../../http/operation.ts';
import type { Feature } from '../../kit/feature.ts';

type Described = Pick<Feature, 'name' | 'operations' | 'schemas'>;

/** The tags in the order of a reader. */
export const TAGS: Readonly<Record<string, string>> = {
  REST: 'Runs tools with your connections',
  'Raw HTTP': 'Calls the API of an integration with your credential',
  Catalogue: 'Integrations and tools',
  Scripts: 'Programs that call tools, and their runs',
  Sets: 'Tools that are chosen for one address',
  Connections: 'What you have connected',
  Imports: 'Integrations that people add',
  Connecting: 'Ways to connect an integration',
  Administration: 'Settings of the whole gateway, for its administrators',
  Actors: 'The users of your product: a service key connects accounts for them',
  Agents: 'Clients that signed in as you',
  Permissions: 'What agents may do, and what they ask you',
  Notices: 'What you are told outside the portal',
  Activity: 'Your calls',
  Events: 'What happens outside',
  Jots: 'Your published pages',
  Files: 'Your kept files',
  Person: 'You and your API key',
  'Sign-in': 'The providers of the sign-in',
  Browser: 'Your browser on the gateway',
  Health: 'Probes',
  Descriptions: 'Texts for programs',
};

const CHAPTERS = Object.keys(TAGS);

/** Every operation with the method and the pattern of its route. */
export function allOperations(features: readonly Described[]): [RouteName, Operation][] {
  const described = features.flatMap(({ operations = [] }) => operations);
  return (
    described
      // The keys of the records are route names by their type, which `entries` forgets.
      .flatMap((operations) => Object.entries(operations()) as [RouteName, Operation][])
      .toSorted(([, one], [, other]) => CHAPTERS.indexOf(one.tag) - CHAPTERS.indexOf(other.tag))
  );
}

/** The schemas that several operations have. */
export const sharedByName = (features: readonly Described[]): readonly SharedSchemaName[] =>
  features
    .flatMap(({ schemas }) => schemas?.() ?? [])
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en'));
