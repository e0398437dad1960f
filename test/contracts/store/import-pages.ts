// Tests what `ImportPages` must do.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ImportRecord } from '../../../src/ports/records.ts';
import type { Store } from '../../../src/ports/store.ts';
import { hash, importRecord } from './records.ts';

/** Longer than a row may be on D1. Each character takes two units of UTF-16 or three bytes, and some cross a cut. */
const LONG = `a${'😀'.repeat(400_000)}${'€'.repeat(400_000)}`;

export function importPagesContract(store: () => Store): void {
  const pages = () => store().importPages;
  async function created(owner: string = randomUUID()): Promise<ImportRecord> {
    const record = importRecord({ owner });
    expect(await store().imports.create(record, [], 100)).toBe('created');
    return record;
  }

  describe('pages of imports', () => {
    it('returns a page as it was stored, however long it is', async () => {
      const { id } = await created();
      await pages().store(id, [
        { digest: 'long', html: LONG },
        { digest: 'short', html: 'a "page" \\ \n' },
      ]);
      expect((await pages().read(id, 'long')) === LONG).toBe(true);
      expect(await pages().read(id, 'short')).toBe('a "page" \\ \n');
      expect(await pages().read(id, 'other')).toBeNull();
      expect(await pages().read(hash(), 'short')).toBeNull();
    });

    it('keeps a page that is stored again', async () => {
      const { id } = await created();
      for (const html of ['first', 'second']) await pages().store(id, [{ digest: 'd', html }]);
      expect(await pages().read(id, 'd')).toBe('first');
    });

    it('deletes the pages that nothing names any more, of this import only', async () => {
      const [one, other] = [await created(), await created()];
      for (const { id } of [one, other])
        await pages().store(id, [
          { digest: 'a', html: 'a' },
          { digest: 'b', html: 'b' },
        ]);
      await pages().keepOnly(one.id, ['b', 'c']);
      expect(await pages().read(one.id, 'a')).toBeNull();
      expect(await pages().read(one.id, 'b')).toBe('b');
      expect(await pages().read(other.id, 'a')).toBe('a');
      await pages().keepOnly(one.id, []);
      expect(await pages().read(one.id, 'b')).toBeNull();
    });

    it('deletes the pages with their import, and stores none for one that is gone', async () => {
      const record = await created();
      await pages().store(record.id, [{ digest: 'a', html: 'a' }]);
      expect(await store().imports.delete(record)).toBe(true);
      expect(await pages().read(record.id, 'a')).toBeNull();
      await pages().store(record.id, [{ digest: 'a', html: 'a' }]);
      expect(await pages().read(record.id, 'a')).toBeNull();
    });

    it('counts the characters of an owner without those of one import', async () => {
      const owner = randomUUID();
      const [one, other] = [await created(owner), await created(owner)];
      await pages().store(one.id, [{ digest: 'a', html: 'abc' }]);
      await pages().store(other.id, [{ digest: 'a', html: 'defgh' }]);
      expect(await pages().size(owner, one.id)).toBe(5);
      expect(await pages().size(owner, hash())).toBe(8);
      expect(await pages().size(randomUUID(), one.id)).toBe(0);
    });

    it('leaves the pages of existing imports when it sweeps', async () => {
      const { id } = await created();
      await pages().store(id, [{ digest: 'a', html: 'a' }]);
      await pages().sweep();
      expect(await pages().read(id, 'a')).toBe('a');
    });
  });
}
