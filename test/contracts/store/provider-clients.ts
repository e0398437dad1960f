// Tests what `ProviderClients` must do.
import { describe, expect, it } from 'vitest';
import type { ProviderClient } from '../../../src/ports/records.ts';
import type { Store } from '../../../src/ports/store.ts';
import { hash, NOW } from './records.ts';

const client = (changes: Partial<ProviderClient> = {}): ProviderClient => ({
  integration: `i${hash()}`,
  sealed_client: 'sealed client',
  updated_at: NOW,
  ...changes,
});

export function providerClientsContract(store: () => Store): void {
  describe('OAuth clients of integrations', () => {
    it('returns a stored client, and null for an integration without one', async () => {
      const put = client();
      await store().providerClients.put(put);
      expect(await store().providerClients.get(put.integration)).toStrictEqual(put);
      expect(await store().providerClients.get(hash())).toBeNull();
    });

    it('replaces the client of an integration on a second put, and no other', async () => {
      const [first, other] = [client(), client()];
      for (const put of [first, other]) await store().providerClients.put(put);
      const second = { ...first, sealed_client: 'other', updated_at: NOW + 5 };
      await store().providerClients.put(second);
      expect(await store().providerClients.get(first.integration)).toStrictEqual(second);
      expect(await store().providerClients.get(other.integration)).toStrictEqual(other);
    });

    it('lists every client by the name of its integration', async () => {
      const rows = [client({ integration: 'zz' }), client({ integration: 'aa' }), client()];
      for (const put of rows) await store().providerClients.put(put);
      const names = (await store().providerClients.list()).map(({ integration }) => integration);
      expect(names).toEqual(expect.arrayContaining(rows.map(({ integration }) => integration)));
      expect(names).toEqual(names.toSorted());
    });

    it('lists the clients of imports by pages only', async () => {
      const rows = [client({ integration: `import:${hash()}` }), client()];
      for (const put of rows) await store().providerClients.put(put);
      const listed = (await store().providerClients.list()).map(({ integration }) => integration);
      expect(listed).not.toContain(rows[0]?.integration);
      const found: string[] = [];
      let page = await store().providerClients.page(null, 2);
      for (; page.length > 0; page = await store().providerClients.page(found.at(-1) ?? null, 2))
        found.push(...page.map(({ integration }) => integration));
      expect(found).toEqual(expect.arrayContaining(rows.map(({ integration }) => integration)));
      expect(new Set(found).size).toBe(found.length);
    });

    it('swaps the sealed text of one integration only while it has the expected value', async () => {
      const [one, other] = [client(), client()];
      for (const put of [one, other]) await store().providerClients.put(put);
      expect(await store().providerClients.swapSealed(one.integration, 'other', 'next')).toBe(false);
      expect(await store().providerClients.swapSealed(one.integration, one.sealed_client, 'next')).toBe(true);
      expect(await store().providerClients.get(one.integration)).toStrictEqual({
        ...one,
        sealed_client: 'next',
      });
      expect(await store().providerClients.get(other.integration)).toStrictEqual(other);
      expect(await store().providerClients.swapSealed(hash(), 'a', 'b')).toBe(false);
    });

    it('deletes a client once', async () => {
      const put = client();
      await store().providerClients.put(put);
      expect(await store().providerClients.delete(put.integration)).toBe(true);
      expect(await store().providerClients.delete(put.integration)).toBe(false);
      expect(await store().providerClients.get(put.integration)).toBeNull();
    });
  });
}
