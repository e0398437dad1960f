// Tests what `OutsideReads` must do.
import { describe, expect, it } from 'vitest';
import type { OutsideRead } from '../../../src/ports/outside-reads.ts';
import type { Store } from '../../../src/ports/store.ts';
import { hash, newUser, NOW } from './records.ts';

export function outsideReadsContract(store: () => Store): void {
  const person = async (): Promise<string> => (await store().users.create(newUser())).id;
  const readOf = (user_id: string, changes: Partial<OutsideRead> = {}): OutsideRead => ({
    user_id,
    caller: 'key:robot',
    tool: 'gmail_get_message',
    read_at: NOW,
    expires_at: NOW + 615,
    ...changes,
  });

  describe('reads of content from outside', () => {
    it('returns the last read of one caller with every field, and null for any other caller', async () => {
      const [user_id, other] = [await person(), await person()];
      const read = readOf(user_id);
      await store().outsideReads.note(read);
      expect(await store().outsideReads.last(user_id, read.caller)).toStrictEqual(read);
      expect(await store().outsideReads.last(user_id, 'key:twin')).toBeNull();
      expect(await store().outsideReads.last(other, read.caller)).toBeNull();
    });

    it('keeps the latest read, in whatever order the reads arrive', async () => {
      const user_id = await person();
      const latest = readOf(user_id, { tool: 'web_fetch', read_at: NOW + 30, expires_at: NOW + 645 });
      for (const read of [readOf(user_id), latest, readOf(user_id, { tool: 'late', read_at: NOW + 29 })])
        await store().outsideReads.note(read);
      expect(await store().outsideReads.last(user_id, latest.caller)).toStrictEqual(latest);
    });

    it('keeps the latest of 20 reads that are noted at once', async () => {
      const user_id = await person();
      const reads = Array.from({ length: 20 }, (_, at) =>
        readOf(user_id, { tool: `tool_${at}`, read_at: NOW + at, expires_at: NOW + at + 615 }),
      );
      // The latest is neither the first nor the last that is sent.
      const mixed = [...reads.slice(10), ...reads.slice(0, 10)];
      await Promise.all(mixed.map((read) => store().outsideReads.note(read)));
      expect(await store().outsideReads.last(user_id, 'key:robot')).toStrictEqual(reads.at(-1));
    });

    it('keeps the reads of callers apart that are noted at once', async () => {
      const user_id = await person();
      const reads = Array.from({ length: 10 }, (_, at) =>
        readOf(user_id, { caller: `key:${at}`, tool: `tool_${at}` }),
      );
      await Promise.all(reads.map((read) => store().outsideReads.note(read)));
      const kept = await Promise.all(reads.map(({ caller }) => store().outsideReads.last(user_id, caller)));
      expect(kept).toStrictEqual(reads);
    });

    it('notes nothing for a person who is unknown or gone, and forgets what they have read', async () => {
      const { id } = await store().users.create(newUser());
      await store().outsideReads.note(readOf(id));
      await store().people.beginDeletion(id, { person: hash(), before: NOW, expires_at: NOW + 1 });
      for (const gone of [id, 'nobody'])
        await store().outsideReads.note(readOf(gone, { caller: 'key:late', read_at: NOW + 9 }));
      await store().people.erase([id], 'deleted-x');
      for (const caller of ['key:robot', 'key:late'])
        expect(await store().outsideReads.last(id, caller)).toBeNull();
      expect(await store().outsideReads.last('nobody', 'key:late')).toBeNull();
    });

    it('leaves no row of a person who goes while their reads are noted', async () => {
      const { id } = await store().users.create(newUser());
      const callers = Array.from({ length: 10 }, (_, at) => `key:${at}`);
      await Promise.all([
        ...callers.slice(0, 5).map((caller) => store().outsideReads.note(readOf(id, { caller }))),
        store()
          .people.beginDeletion(id, { person: hash(), before: NOW, expires_at: NOW + 1 })
          .then(() => store().people.erase([id], 'deleted-x')),
        ...callers.slice(5).map((caller) => store().outsideReads.note(readOf(id, { caller }))),
      ]);
      for (const caller of callers) expect(await store().outsideReads.last(id, caller)).toBeNull();
    });

    it('forgets a read when it has expired, and not before', async () => {
      const user_id = await person();
      // Other tests on this store keep what expires later.
      const reads = [10, 20].map((expires_at) =>
        readOf(user_id, { caller: `key:${expires_at}`, read_at: 1, expires_at }),
      );
      for (const read of reads) await store().outsideReads.note(read);
      while (await store().sweep(10));
      expect(await store().outsideReads.last(user_id, 'key:10')).toBeNull();
      expect(await store().outsideReads.last(user_id, 'key:20')).toStrictEqual(reads[1]);
    });
  });
}
