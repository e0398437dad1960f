// Finds the rule that a token fits, and says which rules fit too much. reference: Trusted issuers; decision: 054
import type { TrustedRule } from '../../ports/machines.ts';
import { fitsPattern } from './pattern.ts';

export type ClaimPatterns = Readonly<Record<string, string>>;

/** Throws for a text that the gateway has not written: no claim may be left out by mistake. */
export function parseClaims(text: string): ClaimPatterns {
  const parsed: unknown = JSON.parse(text);
  if (typeof parsed !== 'object' || parsed === null) throw new TypeError('the claims of a rule are damaged');
  const entries = Object.entries(parsed);
  if (!entries.every((entry): entry is [string, string] => typeof entry[1] === 'string'))
    throw new TypeError('the claims of a rule are damaged');
  return Object.fromEntries(entries);
}

/** The first rule whose subject and claims fit. */
export function ruleOf<Rule extends Pick<TrustedRule, 'sub' | 'claims'>>(
  rules: readonly Rule[],
  sub: string,
  claims: Readonly<Record<string, unknown>>,
): Rule | null {
  const fits = (rule: Rule) =>
    fitsPattern(rule.sub, sub) &&
    Object.entries(parseClaims(rule.claims)).every(([name, pattern]) => {
      const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
      // A list or an object has no one value that a pattern could mean.
      const isPlain = ['string', 'number', 'boolean'].includes(typeof value);
      return isPlain && fitsPattern(pattern, String(value));
    });
  return rules.find(fits) ?? null;
}

/** Issuers that give tokens to everybody in the world, and the claims that say to whom. */
const SHARED: ReadonlyMap<string, { name: string; start: string; owners: readonly string[] }> = new Map([
  [
    'token.actions.githubusercontent.com',
    {
      name: 'GitHub',
      start: 'repo:',
      owners: ['repository_owner', 'repository_owner_id', 'repository', 'repository_id', 'enterprise_id'],
    },
  ],
  [
    'gitlab.com',
    {
      name: 'GitLab.com',
      start: 'project_path:',
      owners: ['namespace_path', 'namespace_id', 'project_path', 'project_id'],
    },
  ],
]);

interface Patterns {
  sub: string;
  claims: ClaimPatterns;
}

/** Why a rule must not be, in a sentence. Null for a rule that says whom it means. */
export function refusalOf(issuer: string, { sub, claims }: Patterns): string | null {
  const shared = SHARED.get(new URL(issuer).hostname);
  if (shared === undefined) {
    if ([sub, ...Object.values(claims)].some(saysSomething)) return null;
    return 'fits everybody to whom this issuer gives a token. Write more than *, or a claim that says who is meant';
  }
  const { name, start, owners } = shared;
  const isOwned = owners.some((claim) => Object.hasOwn(claims, claim) && startsFixed(claims[claim] ?? ''));
  // A project may choose what else its subjects begin with, and reusable workflows run for strangers.
  const fixesOwner = sub.startsWith(start) && /^[^*/:]+\//.test(sub.slice(start.length));
  if (isOwned || fixesOwner) return null;
  return `fits projects of strangers: everybody gets tokens of ${name}. Write the owner up to its slash, as in ${start}acme/web:*, or one of the claims ${owners.join(', ')}`;
}

/** `acme/web`, `acme/*` and `42` begin with a whole owner. `acme*` also means `acme-of-somebody-else`. */
const startsFixed = (pattern: string): boolean => {
  const [start = '', ...stars] = pattern.split('*');
  return start !== '' && (stars.length === 0 || start.includes('/'));
};

/** What an administrator should know about a rule that may be. */
export function warningsOf(issuer: string, { sub, claims }: Patterns): string[] {
  const warnings: string[] = [];
  if (/[^*:/]\*$/.test(sub))
    warnings.push(`${sub} also fits other names that begin with ${/([^:/]*)\*$/.exec(sub)?.[1] ?? ''}.`);
  const isRepository = /^repo:[^*/:]+\/[^*/:]+:\*$/.test(sub);
  if (SHARED.get(new URL(issuer).hostname)?.name === 'GitHub' && Object.keys(claims).length === 0) {
    if (isRepository) warnings.push(`${sub} fits every branch, tag and pull request of the repository.`);
    else if (/^repo:[^*/:]+\/\*$/.test(sub))
      warnings.push(`${sub} fits every repository of the owner, with each branch and pull request.`);
  }
  if (!saysSomething(sub)) warnings.push(`${sub} names no subject, so the claims alone decide.`);
  return warnings;
}

/** Stars and separators alone, as in `*:*:*`, are the form of every subject of an issuer. */
const saysSomething = (pattern: string): boolean => /[^*:/]/.test(pattern);
