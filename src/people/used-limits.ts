// Shows the limits of a person with what the person uses of them. Each feature knows its own. reference: Limits per person; decision: 019
import type { Feature } from '../kit/feature.ts';
import { LIMIT_NAMES, type LimitUse } from '../kit/personal.ts';

export type LimitsOf = (userId: string) => Promise<LimitUse[]>;
export type LimitsNeeds<Deps> = Deps & { features: readonly Pick<Feature<Deps>, 'name' | 'limits'>[] };

export function createLimitsOf<Deps>(deps: LimitsNeeds<Deps>): LimitsOf {
  const readers = deps.features.flatMap(({ limits }) => (limits === undefined ? [] : [limits(deps)]));

  return async function limitsOf(userId) {
    const lists = await Promise.all(readers.map((read) => read(userId)));
    return lists.flat().toSorted((one, other) => rankOf(one) - rankOf(other));
  };
}

const rankOf = ({ name }: LimitUse): number => LIMIT_NAMES.indexOf(name);
