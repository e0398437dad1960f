// Shows a person in full: what the person has connected and let in, without a secret. reference: Administration of people
import type { ReadRole } from '../auth/role.ts';
import type { Feature } from '../kit/feature.ts';
import type { PersonSummary } from '../ports/people.ts';
import type { LimitsOf } from './used-limits.ts';
import type { PersonInFull } from './operations.ts';
import { showPerson } from './person.ts';

export type DescribePerson = (summary: PersonSummary) => Promise<PersonInFull>;

type Needs<Deps> = Deps & {
  features: readonly Pick<Feature<Deps>, 'name' | 'personal'>[];
  limitsOf: LimitsOf;
  readRole: ReadRole;
};

export function createDescribePerson<Deps>(deps: Needs<Deps>): DescribePerson {
  const { features, limitsOf, readRole } = deps;
  const readers = features.flatMap(({ personal }) =>
    personal?.show === undefined ? [] : [personal.show(deps)],
  );

  return async function describePerson(summary) {
    const { id } = summary;
    const [limits, ...shown] = await Promise.all([limitsOf(id), ...readers.map((read) => read(id))]);
    const person: PersonInFull = { ...showPerson(summary, readRole), ...NOTHING, limits };
    return shown.reduce<PersonInFull>((known, more) => ({ ...known, ...more }), person);
  };
}

const NOTHING = { accounts: [], clients: [], namedKeys: [] };
