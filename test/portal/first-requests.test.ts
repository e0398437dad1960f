// Tests that the list of what first pages need names addresses and modules that the portal has.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { FIRST_PAGES, firstRequests } from '../../portal/first-requests.ts';

const routes = readFileSync(new URL('../../portal/routes.ts', import.meta.url), 'utf8');

it.each(FIRST_PAGES.map(({ pattern, part }) => [pattern, part]))(
  'names what %s is made of',
  (pattern, part) => {
    const [, row = ''] = routes.split(`pattern: '${pattern}'`);
    expect(row).not.toBe('');
    const module = /^[^{}]*import\('\.\/([^']+)'\)/.exec(row)?.[1];
    // The gallery is in the first part, and settings have two addresses.
    if (module !== undefined && part !== undefined) expect(part).toBe(module);
  },
);

it('fills in the name, and asks for nothing of a page whose address has choices', () => {
  expect(firstRequests('/integrations/a%20b', '')).toContain('/api/integrations/a%20b');
  expect(firstRequests('/activity', '?of=everybody')).not.toContain('/api/audit?subject=true');
  expect(firstRequests('/nowhere', '')).toContain('/api/auth/me');
});
