// Tests the patterns of subjects and claims, and which rules are refused. reference: Trusted issuers; decision: 054
import { describe, expect, it } from 'vitest';
import { fitsPattern } from '../../src/oauth/machines/pattern.ts';
import { refusalOf, ruleOf, warningsOf } from '../../src/oauth/machines/rules.ts';

describe('a pattern', () => {
  it.each([
    ['repo:acme/web:ref:refs/heads/main', 'repo:acme/web:ref:refs/heads/main'],
    ['repo:acme/web:*', 'repo:acme/web:ref:refs/heads/main'],
    ['repo:acme/web:*', 'repo:acme/web:pull_request'],
    ['repo:acme/*', 'repo:acme/web:ref:refs/heads/main'],
    ['repo:acme/*:environment:prod', 'repo:acme/web:environment:prod'],
    ['repo:acme/web-*:environment:*', 'repo:acme/web-2:environment:prod/eu'],
    ['repo:acme/*-*-web:x', 'repo:acme/a-b-c-web:x'],
    ['system:serviceaccount:jobs:*', 'system:serviceaccount:jobs:report'],
    ['*', 'anything:at/all'],
    ['a*', 'ab'],
    ['a*b', 'ab'],
    ['a*b', 'abb'],
    ['*b', 'b'],
    ['**', 'a'],
    ['a.c', 'a.c'],
    ['[a-z]+(x|y)$^\\', '[a-z]+(x|y)$^\\'],
    ['', ''],
  ])('%s fits %s', (pattern, text) => expect(fitsPattern(pattern, text)).toBe(true));

  it.each([
    ['repo:acme/web:ref:refs/heads/main', 'repo:acme/web:ref:refs/heads/main2'],
    ['repo:acme/web:ref:refs/heads/main', 'x-repo:acme/web:ref:refs/heads/main'],
    ['repo:acme/web:*', 'repo:acme/web'],
    ['repo:acme/web:*', 'repo:acme/web:'],
    ['repo:acme/web:*', 'repo:acme/web-evil:ref'],
    ['repo:acme/web:*', 'REPO:acme/web:ref'],
    ['repo:acme/*', 'repo:acme-evil/web:ref'],
    ['repo:acme/*:ref:refs/heads/main', 'repo:acme/web:environment:x:ref:refs/heads/main'],
    ['repo:acme/*:ref:refs/heads/main', 'repo:acme/web:ref:refs/heads/x/main'],
    ['repo:acme/*:environment:prod', 'repo:acme/web/x:environment:prod'],
    ['repo:*/web:ref', 'repo:acme/x/web:ref'],
    ['a*b', 'a:b'],
    ['a*b', 'a/b'],
    ['ab*b', 'ab'],
    ['a*a', 'a'],
    ['*', ''],
    ['a*', 'a'],
    ['a.c', 'abc'],
    ['a\n*', 'a'],
    ['', 'a'],
    ['a', ''],
  ])('%s does not fit %s', (pattern, text) => expect(fitsPattern(pattern, text)).toBe(false));

  it('reads a long text a few times at most, whatever its stars', () => {
    const text = 'a'.repeat(1_000_000);
    expect(fitsPattern(`${'*a'.repeat(200)}*b`, text)).toBe(false);
    expect(fitsPattern(`${'a*'.repeat(200)}b`, text)).toBe(false);
    expect(fitsPattern('a*'.repeat(200), text)).toBe(true);
    expect(fitsPattern(`${'*:'.repeat(200)}x`, ':'.repeat(1_000_000))).toBe(false);
  });

  it('takes claims that the token has itself, and no other value than a plain one', () => {
    const rule = (claims: object) => [{ sub: 'a', claims: JSON.stringify(claims) }];
    const fits = (claims: object, token: Record<string, unknown>) =>
      ruleOf(rule(claims), 'a', token) !== null;
    expect(fits({ n: '42', b: 'true', t: 'x*' }, { n: 42, b: true, t: 'xyz' })).toBe(true);
    expect(fits({ toString: '*' }, {})).toBe(false);
    expect(fits({ constructor: '*' }, {})).toBe(false);
    for (const value of [null, undefined, ['x'], { x: 'x' }])
      expect(fits({ t: '*' }, { t: value })).toBe(false);
  });
});

const GITHUB = 'https://token.actions.githubusercontent.com';
const GITLAB = 'https://gitlab.com';
const OWN = 'https://oidc.acme.example';

describe('a rule', () => {
  it.each<[string, string, Record<string, string>]>([
    [OWN, '*', {}],
    [OWN, '***', { team: '*' }],
    [OWN, '*:*', {}],
    [OWN, '*:*:*:*', { ref: '*/*' }],
    [GITHUB, '*', {}],
    [GITHUB, 'repo:*', {}],
    [GITHUB, 'repo:acme*', {}],
    [GITHUB, 'repo:*/web:ref:refs/heads/main', {}],
    [GITHUB, 'repo:acme', {}],
    // A repository may choose that its subjects begin with another claim.
    [GITHUB, 'environment:prod', {}],
    [GITHUB, 'ref:refs/heads/main', {}],
    // Strangers may call a public workflow.
    [GITHUB, 'job_workflow_ref:acme/shared/.github/workflows/x.yml@refs/heads/main', {}],
    [GITHUB, '*', { repository_owner: '*' }],
    [GITHUB, '*', { repository_owner: 'acme*' }],
    [GITHUB, '*', { ref: 'refs/heads/main' }],
    [GITHUB, '*', { job_workflow_ref: 'acme/shared/x.yml@main' }],
    [GITLAB, '*', {}],
    [GITLAB, 'project_path:*', {}],
    [GITLAB, 'project_path:acme*', {}],
    [GITLAB, 'ref_type:branch:ref:main', {}],
  ])('at %s for %s and %j is refused', (issuer, sub, claims) => {
    expect(refusalOf(issuer, { sub, claims })).toMatch(/^fits /);
  });

  it.each<[string, string, Record<string, string>]>([
    [OWN, 'system:serviceaccount:*', {}],
    [OWN, '*', { team: 'deploy' }],
    [GITHUB, 'repo:acme/web:ref:refs/heads/main', {}],
    [GITHUB, 'repo:acme/*', {}],
    [GITHUB, '*', { repository_owner: 'acme' }],
    [GITHUB, '*', { repository: 'acme/*' }],
    [GITHUB, 'environment:prod', { repository_id: '42' }],
    [GITLAB, 'project_path:acme/web:*', {}],
    [GITLAB, '*', { namespace_path: 'acme' }],
  ])('at %s for %s and %j may be', (issuer, sub, claims) => {
    expect(refusalOf(issuer, { sub, claims })).toBeNull();
  });

  it.each<[string, string, Record<string, string>, RegExp]>([
    [GITHUB, 'repo:acme/web:*', {}, /every branch, tag and pull request/],
    [GITHUB, 'repo:acme/*', {}, /every repository of the owner/],
    [GITHUB, 'repo:acme/web*', {}, /other names that begin with web\./],
    [OWN, '*', { team: 'deploy' }, /the claims alone decide/],
  ])('at %s for %s and %j comes with a warning', (issuer, sub, claims, warning) => {
    expect(warningsOf(issuer, { sub, claims })).toEqual([expect.stringMatching(warning)]);
  });

  it('that names one subject comes with no warning', () => {
    expect(warningsOf(GITHUB, { sub: 'repo:acme/web:ref:refs/heads/main', claims: {} })).toEqual([]);
    expect(warningsOf(OWN, { sub: 'system:serviceaccount:jobs:*', claims: {} })).toEqual([]);
  });
});
