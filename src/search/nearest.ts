// Finds the names that somebody probably meant by an unknown name of a tool or an integration.
import { type Integration, titleOf } from '../kit/integration.ts';
import { META_TOOL_NAMES } from '../kit/meta-tool-names.ts';
import type { Registry } from '../kit/registry.ts';
import { createNameList, type NearName } from './near-names.ts';
import type { Found, Search } from './search.ts';

const MAX_NAMES = 3;
const HINTS_OF_A_BATCH = 10;
// Names of tools and integrations are no longer. Comparing longer ones would only cost time.
const MAX_LENGTH = 64;

export interface Nearest {
  /** Returns at most three tools. With `within`, they are tools of that integration. */
  tools(name: string, within?: Integration | null): readonly string[];
  integrations(name: string): readonly string[];
  /** Makes a `tools` for one batch, which can have any number of unknown names: it helps with the first of them. */
  forBatch(): Nearest['tools'];
}

export function createNearest(registry: Pick<Registry, 'integrations'>, search: Search): Nearest {
  // Only an unknown name needs the list.
  const called = () =>
    createNameList(
      registry.integrations.flatMap(({ name, ...integration }) =>
        [name, titleOf(integration)].map((written) => [name, written, name] as const),
      ),
    );

  function bySpelling(name: string, integration?: string): string[] {
    return nearestFirst(search.near(name, integration));
  }

  function ranked(name: string, integration?: string): Found[] {
    const words = name.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ').replaceAll('_', ' ');
    return search.suggest(words, new Set(), integration);
  }

  function tools(name: string, within: Integration | null = null): string[] {
    if (!isLikeName(name) || META_TOOL_NAMES.includes(name)) return [];
    const spelled = [
      ...bySpelling(name, within?.name),
      ...(within === null ? [] : bySpelling(`${within.name}_${name}`, within.name)),
    ];
    return first([...spelled, ...ranked(name, within?.name).map((tool) => tool.name)]);
  }

  return {
    tools,

    integrations(name) {
      if (!isLikeName(name)) return [];
      const spelled = nearestFirst(called().near(name));
      return first(spelled.length > 0 ? spelled : ranked(name).map((tool) => tool.integration));
    },

    forBatch() {
      let left = HINTS_OF_A_BATCH;
      return (name, within) => (left-- > 0 ? tools(name, within) : []);
    },
  };
}

const nearestFirst = (names: readonly NearName[]): string[] =>
  names.toSorted((one, other) => one.slips - other.slips).map(({ name }) => name);

/** No name begins with an underscore, as the properties of objects do. */
const isLikeName = (name: string): boolean => name.length <= MAX_LENGTH && /^[\p{L}\p{N}]/u.test(name);

const first = (names: readonly string[]): string[] => [...new Set(names)].slice(0, MAX_NAMES);

/** Adds the member `nearest` to an answer when there is anything near. */
export function withNearest<Answer extends object>(
  answer: Answer,
  nearest: readonly string[],
): Answer | (Answer & { nearest: readonly string[] }) {
  return nearest.length === 0 ? answer : { ...answer, nearest };
}
