// Cases of calls that wait for a person's yes.
import { expect } from 'vitest';
import { fixtures } from '../../support/fixtures.ts';
import { ask, openPolicyStand } from '../../support/policy-stand.ts';
import type { Case, Until } from './case.ts';

const ASKED = { error: 'APPROVAL_REQUIRED' };

/** A person with the accounts `work` and `home` of a service whose tool waits for a yes. */
async function openAsked(until: Until) {
  const stand = until(await openPolicyStand({ integrations: fixtures, rules: [ask('keyed_whoami')] }));
  const { store, vault } = stand.app.deps;
  const connect = async (account: string) => {
    const accessToken = JSON.stringify({ apiKey: account });
    await vault.save(stand.ana.id, 'keyed', { accessToken, account });
    stand.app.clock.advance(1);
  };
  await connect('work');
  await connect('home');
  const run = (account: string) => stand.run(stand.key, 'keyed_whoami', {}, { account });
  const { approval } = await run('work');
  const rowOf = async (label: string) => {
    const row = (await store.connections.of(stand.ana.id, 'keyed')).find((each) => each.label === label);
    if (row === undefined) throw new Error(`there is no account ${label}`);
    return row;
  };
  return { store, run, rowOf, connect, userId: stand.ana.id, approve: () => stand.approve(approval.id) };
}

export const APPROVAL_CASES: readonly Case[] = [
  {
    situation: 'a yes for one account, the same call with another one',
    door: 'MCP',
    outcome: '`APPROVAL_REQUIRED`',
    async run(until) {
      const { run, approve } = await openAsked(until);
      await approve();
      expect(await run('home')).toMatchObject(ASKED);
      expect(await run('work')).toMatchObject({ account: 'work' });
    },
  },
  {
    situation: 'an approval waits, its account is renamed',
    door: 'MCP',
    outcome: 'the yes holds for the account under its new label',
    async run(until) {
      const { store, run, rowOf, approve } = await openAsked(until);
      await store.connections.rename(await rowOf('work'), 'former');
      await store.connections.rename(await rowOf('home'), 'work');
      await approve();
      expect(await run('work')).toMatchObject(ASKED);
      expect(await run('former')).toMatchObject({ account: 'former', result: 'me at keyed' });
    },
  },
  {
    situation: 'an approval waits, its account is disconnected',
    door: 'MCP',
    outcome: '`UNKNOWN_ACCOUNT`, and `APPROVAL_REQUIRED` again after it is connected again',
    async run(until) {
      const { store, run, rowOf, connect, userId, approve } = await openAsked(until);
      await store.connections.delete(userId, 'keyed', (await rowOf('work')).account);
      await approve();
      expect(await run('work')).toMatchObject({ error: 'UNKNOWN_ACCOUNT' });
      await connect('club');
      await connect('work');
      expect(await run('work')).toMatchObject(ASKED);
    },
  },
];
