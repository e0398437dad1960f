// Cases of connecting, renaming and disconnecting.
import { expect } from 'vitest';
import { MAX_ACCOUNTS } from '../../../src/connections/model/limits.ts';
import { respond } from '../../support/fake-probed.ts';
import { openProbedStand, type ProbedStand } from '../../support/probed-stand.ts';
import type { Case, Until } from './case.ts';

/** A person with the accounts `ann` (id 1) and `eve` (id 2) of a provider that names its accounts. */
async function openTwo(until: Until) {
  const stand = until(await openProbedStand());
  const enter = async (token: string, id: number, name: string) => {
    stand.provider.tokens.add(token);
    stand.provider.script.push({ path: '/personal/whoami', answer: respond(200, { user: { id, name } }) });
    return (await stand.enter(token)).status;
  };
  await enter('token-1', 1, 'ann');
  stand.app.clock.advance(1);
  await enter('token-2', 2, 'eve');
  stand.app.clock.advance(1);
  const rows = () => stand.app.deps.store.connections.of(stand.ana.id, 'probed');
  const labels = async () => (await rows()).map(({ label }) => label);
  return { stand, enter, rows, labels };
}

/** A person with one account of a service that does not name its accounts, and one called `work`. */
async function openNameless(until: Until) {
  const stand = until(await openProbedStand());
  const save = (apiKey: string, account?: string) =>
    stand.api('POST', '/api/auth/apikey/keyed', {
      values: { region: 'eu', apiKey, appKey: 'y' },
      ...(account === undefined ? {} : { account }),
    });
  for (const account of ['home', 'work']) {
    await save(`first-of-${account}`, account);
    stand.app.clock.advance(1);
  }
  return { save, rows: () => stand.app.deps.store.connections.of(stand.ana.id, 'keyed') };
}

const patch = async ({ app, ana }: ProbedStand, id: string, body: object): Promise<number> => {
  const headers = { ...ana.sessionHeader, 'content-type': 'application/json' };
  const init = { method: 'PATCH', headers, body: JSON.stringify(body) };
  return (await app.request(`/api/connections/probed/accounts/${id}`, init)).status;
};

export const CONNECTING_CASES: readonly Case[] = [
  {
    situation: 'connect an account that is connected, by the provider’s id',
    door: 'portal, API',
    outcome: 'renews it; its label and its defaults stay',
    async run(until) {
      const { stand, enter, rows } = await openTwo(until);
      expect(await patch(stand, '2', { label: 'work', defaultForWrites: true })).toBe(200);
      const [first, second] = await rows();
      expect(await enter('token-3', 2, 'eve')).toBe(200);
      const after = await rows();
      expect(after).toMatchObject([
        { account: first?.account, access_token: first?.access_token },
        { account: second?.account, label: 'work', is_write_default: true },
      ]);
      expect(after[1]?.access_token).not.toBe(second?.access_token);
    },
  },
  {
    situation: 'connect an account that is not connected, by the provider’s id',
    door: 'portal, API',
    outcome: 'adds it; the others stay as they are',
    async run(until) {
      const { enter, rows } = await openTwo(until);
      const before = await rows();
      expect(await enter('token-3', 3, 'eve')).toBe(200);
      const after = await rows();
      expect(after.slice(0, 2)).toEqual(before);
      expect(after[2]).toMatchObject({ account_id: '3', label: 'eve 2' });
    },
  },
  {
    situation: 'connect with a label that an account has; the provider gives no id',
    door: 'portal, API',
    outcome: 'renews that account',
    async run(until) {
      const { save, rows } = await openNameless(until);
      const before = await rows();
      expect((await save('three', 'work')).status).toBe(200);
      const after = await rows();
      expect(after.map(({ label }) => label)).toEqual(['home', 'work']);
      expect(after[0]).toEqual(before[0]);
      expect(after[1]?.access_token).not.toBe(before[1]?.access_token);
    },
  },
  {
    situation: 'connect with a label that none has; the provider gives no id',
    door: 'portal, API',
    outcome: 'adds an account of that label',
    async run(until) {
      const { save, rows } = await openNameless(until);
      expect((await save('three', 'club')).status).toBe(200);
      expect((await rows()).map(({ label }) => label)).toEqual(['home', 'work', 'club']);
    },
  },
  {
    situation: `connect one more than ${MAX_ACCOUNTS} accounts`,
    door: 'portal, API',
    outcome: '409, nothing is lost',
    async run(until) {
      const { enter, rows } = await openTwo(until);
      for (let id = 3; id <= MAX_ACCOUNTS; id++) await enter(`token-${id}`, id, `name-${id}`);
      const before = await rows();
      expect(before).toHaveLength(MAX_ACCOUNTS);
      expect(await enter('one-more', 99, 'late')).toBe(409);
      expect(await rows()).toEqual(before);
    },
  },
  {
    situation: 'rename to a label that another account has',
    door: 'portal, API, `npm run connections`',
    outcome: '409, both keep their labels',
    async run(until) {
      const { stand, labels } = await openTwo(until);
      expect(await patch(stand, '1', { label: 'eve' })).toBe(409);
      expect(await labels()).toEqual(['ann', 'eve']);
    },
  },
  {
    situation: 'disconnect with a label',
    door: 'portal, API, `npm run connections`',
    outcome: 'ends that account; the others stay as they are',
    async run(until) {
      const { stand, rows } = await openTwo(until);
      const [first] = await rows();
      const { status } = await stand.api('DELETE', '/api/connections/probed?account=eve&revoke=true');
      expect([status, await rows()]).toEqual([200, [first]]);
    },
  },
  {
    situation: 'disconnect without a label',
    door: 'portal, API, `npm run connections`',
    outcome: 'ends all accounts of the integration',
    async run(until) {
      const { stand, rows } = await openTwo(until);
      expect((await stand.api('DELETE', '/api/connections/probed?revoke=true')).status).toBe(200);
      expect(await rows()).toEqual([]);
    },
  },
  {
    situation: 'disconnect with a label that none has',
    door: 'portal, API, `npm run connections`',
    outcome: '404 with the labels, nothing ends',
    async run(until) {
      const { stand, rows } = await openTwo(until);
      const answer = await stand.api('DELETE', '/api/connections/probed?account=bea&revoke=true');
      expect(answer).toEqual({
        status: 404,
        body: { error: 'Probed has no such account. The accounts are "ann", "eve".' },
      });
      expect(await rows()).toHaveLength(2);
    },
  },
];
