// Cases of tokens of curl_session, whose account is chosen when they are lent or at each call.
import { expect } from 'vitest';
import { lend, openAccounts, rowOf, sendRaw, sent } from './calls.ts';
import type { Case, Until } from './case.ts';

const GONE = { status: 409, error: 'NOT_CONNECTED' };

/** A person with two accounts, and a token that is bound to one of them, or to none. */
async function openLent(until: Until, account?: string) {
  const stage = await openAccounts(until, ['work', 'home']);
  const { token } = await lend(stage, account);
  const { connections } = stage.app.deps.store;
  return {
    stage,
    send: (method: string) => sendRaw(stage, token, method),
    disconnect: async (label: string) =>
      connections.delete(stage.ana.id, 'vaulted', (await rowOf(stage, label)).account),
  };
}

export const CURL_CASES: readonly Case[] = [
  {
    situation: 'several accounts, a raw GET, a token without an account',
    door: '`/c`',
    outcome: 'uses the default, else the oldest',
    async run(until) {
      const { stage, send } = await openLent(until);
      await send('GET');
      await stage.app.deps.store.connections.setDefault(await rowOf(stage, 'home'), 'reads', true);
      await send('GET');
      expect(sent(stage)).toEqual(['work', 'home']);
    },
  },
  {
    situation: 'several accounts, a raw POST, a token without an account',
    door: '`/c`',
    outcome: '409 `AMBIGUOUS_ACCOUNT`, unless there is a default for writes',
    async run(until) {
      const { stage, send } = await openLent(until);
      expect(await send('POST')).toMatchObject({ status: 409, error: 'AMBIGUOUS_ACCOUNT' });
      await stage.app.deps.store.connections.setDefault(await rowOf(stage, 'home'), 'writes', true);
      expect(await send('POST')).toEqual({ status: 200 });
      expect(sent(stage)).toEqual(['home']);
    },
  },
  {
    situation: 'several accounts, a raw POST, a token for one',
    door: '`/c`',
    outcome: 'uses that account, against any default',
    async run(until) {
      const { stage, send } = await openLent(until, 'home');
      await stage.app.deps.store.connections.setDefault(await rowOf(stage, 'work'), 'writes', true);
      expect(await send('POST')).toEqual({ status: 200 });
      expect(sent(stage)).toEqual(['home']);
    },
  },
  {
    situation: 'a token for an account that was renamed',
    door: '`/c`',
    outcome: 'still uses that account, also when another one has the former label',
    async run(until) {
      const { stage, send } = await openLent(until, 'home');
      const { connections } = stage.app.deps.store;
      await connections.rename(await rowOf(stage, 'home'), 'former');
      await connections.rename(await rowOf(stage, 'work'), 'home');
      await send('POST');
      expect(sent(stage)).toEqual(['home']);
    },
  },
  {
    situation: 'a token for an account that was disconnected',
    door: '`/c`',
    outcome: '409 `NOT_CONNECTED`, while other accounts remain and after the label is used again',
    async run(until) {
      const { stage, send, disconnect } = await openLent(until, 'home');
      await disconnect('home');
      expect(await send('GET')).toMatchObject(GONE);
      await stage.app.deps.vault.save(stage.ana.id, 'vaulted', {
        accessToken: 'token-of-another',
        account: 'home',
      });
      expect(await send('GET')).toMatchObject(GONE);
      expect(sent(stage)).toEqual([]);
    },
  },
];
