// Loads the rules of a person and of everyone, and changes them one after the other.
import {
  countOpenApprovals,
  fetchRules,
  fetchRulesForEveryone,
  type Rule,
  type RulesForEveryone,
  type RulesInForce,
  saveRules,
  saveRulesForEveryone,
} from '../api/policy.ts';
import { changeKept, forThisPerson } from './cache.ts';
import { type Resource, useResource } from './use-resource.ts';

export type Owner = 'me' | 'everyone';

export interface SavedRules {
  /** The person's own calls that waited for an answer, or had one and had not run. The change has ended them. */
  ended: number;
}

const keyOf = (owner: Owner) => `rules of ${owner}`;

export function useRules(): Resource<RulesInForce> {
  return useResource(keyOf('me'), fetchRules);
}

/** The data is null for a person who is no administrator. */
export function useRulesForEveryone(): Resource<RulesForEveryone | null> {
  return useResource(keyOf('everyone'), fetchRulesForEveryone);
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Applies the change to the rules that the gateway has now: the gateway takes the whole list, and another window may
 * have changed it. Each change waits for the one before.
 */
export function changeRules(owner: Owner, change: (rules: readonly Rule[]) => Rule[]): Promise<SavedRules> {
  const turn = last.then(() => save(owner, change));
  last = turn.catch(() => undefined);
  return turn;
}

async function save(owner: Owner, change: (rules: readonly Rule[]) => Rule[]): Promise<SavedRules> {
  const store = forThisPerson((rules: readonly Rule[]) => put(owner, rules));
  const [rules, open] = await Promise.all([
    (owner === 'me' ? fetchRules() : fetchRulesForEveryone()).then((found) => found?.rules ?? []),
    countOpenApprovals(),
  ]);
  const wanted = change(rules);
  const isSame = JSON.stringify(wanted) === JSON.stringify(rules);
  store(isSame ? wanted : await (owner === 'me' ? saveRules : saveRulesForEveryone)(wanted));
  return { ended: isSame ? 0 : open };
}

// Each key belongs to one loader, so its value has that loader's type.
function put(owner: Owner, rules: readonly Rule[]): void {
  if (owner === 'everyone')
    changeKept(keyOf('everyone'), (known) => ({ ...(known as RulesForEveryone), rules }));
  changeKept(keyOf('me'), (known) => ({
    ...(known as RulesInForce),
    ...(owner === 'me' ? { rules } : { everyone: rules }),
  }));
}
