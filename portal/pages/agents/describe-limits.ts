// Says in words what a key or an application may do at most.
import type { Limits } from '../../api/agents.ts';
import type { Access } from '../../api/tools.ts';
import { keysTexts } from '../../texts/keys.ts';
import { readOnlyTools } from './only-tools.ts';

const words = keysTexts.limits;
const MAX_NAMES = 3;

const dayOfYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long' });
const fullDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' });

/** Writes a time in Unix seconds as "3 March", with the year when it is another one. */
export function formatDay(at: number, now = Date.now()): string {
  const day = new Date(at * 1000);
  return (day.getFullYear() === new Date(now).getFullYear() ? dayOfYear : fullDay).format(day);
}

export function isOver({ expiresAt }: Limits, now = Date.now()): boolean {
  return expiresAt !== undefined && expiresAt * 1000 <= now;
}

/** Lists what the limits say, apart from an end that has passed. */
export function describeLimits(limits: Limits, nameOf: (integration: string) => string): string[] {
  const { integrations, rules = [], perMinute, expiresAt, set } = limits;
  const tools = readOnlyTools(rules);
  const parts = [
    ...(set === undefined ? [] : [words.set(set)]),
    ...sayAccess(limits, tools),
    ...(integrations === undefined ? [] : [nameSome(integrations.map(nameOf))]),
    ...(tools === undefined ? [] : [words.onlyTools(nameSome(tools))]),
    ...(rules.length === 0 || tools !== undefined ? [] : [words.rules(rules.length)]),
    ...(perMinute === undefined ? [] : [words.rate(perMinute)]),
  ];
  return expiresAt === undefined || isOver(limits) ? parts : [...parts, words.until(formatDay(expiresAt))];
}

function sayAccess(
  { access = 'destroy', integrations, rules = [], set }: Limits,
  tools?: string[],
): string[] {
  if (access !== 'destroy') return [words.access[access]];
  // The names of the tools say more.
  if (tools !== undefined || set !== undefined) return [];
  return [integrations === undefined && rules.length === 0 ? words.everything : words.access[access]];
}

function nameSome(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  return more > 1 ? words.more(names.slice(0, MAX_NAMES), more) : names.join(', ');
}

/** The highest level that the scope of a token allows. Undefined narrows nothing. */
export function ceilingOf(scopes: readonly string[]): Exclude<Access, 'destroy'> | undefined {
  if (scopes.includes('mcp')) return undefined;
  if (scopes.includes('mcp:write')) return 'write';
  return scopes.includes('mcp:read') ? 'read' : undefined;
}

const ORDER: readonly Access[] = ['read', 'write', 'destroy'];

export function isWithin(access: Access, most: Access): boolean {
  return ORDER.indexOf(access) <= ORDER.indexOf(most);
}

/** Returns the limits with the access that remains below the ceiling. */
export function withCeiling(limits: Limits, ceiling: Access | undefined): Limits {
  const { access = 'destroy' } = limits;
  return ceiling === undefined || isWithin(access, ceiling) ? limits : { ...limits, access: ceiling };
}
