// Tests what `Imports` must do.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ImportRecord, ImportToolRecord } from '../../../src/ports/records.ts';
import { EVERYONE, type Store } from '../../../src/ports/store.ts';
import { connection, hash, importRecord, importTool, NOW } from './records.ts';

const MOST = 100;
const HOUR = 3_600;
const toolsOf = (record: ImportRecord, count: number) =>
  Array.from({ length: count }, (_, position) => importTool(record, position));
const next = (record: ImportRecord, changes: Partial<ImportRecord> = {}): ImportRecord => ({
  ...record,
  version: hash(),
  ...changes,
});
const count = <T>(list: readonly T[], one: T) => list.filter((each) => each === one).length;

export function importsContract(store: () => Store): void {
  const imports = () => store().imports;
  async function created(changes: Partial<ImportRecord> = {}, tools = 2): Promise<ImportRecord> {
    const record = importRecord(changes);
    expect(await imports().create(record, toolsOf(record, tools), MOST)).toBe('created');
    return record;
  }
  /** Deletes what a test has added for everyone, which other tests would see. */
  const forEveryone = async (test: () => Promise<void>) => {
    try {
      await test();
    } finally {
      for (const record of await imports().list(EVERYONE)) await imports().delete(record);
    }
  };
  const stored = ({ owner, name }: ImportRecord) => imports().get(owner, name);

  describe('imports', () => {
    it('returns a stored import with every field and its tools by position', async () => {
      const record = importRecord();
      const tools = [
        importTool(record, 10, { state: 'new', definition: null, digest: null }),
        importTool(record, 9, { state: 'granted', found: null, found_digest: null }),
      ] as const;
      expect(await imports().create(record, tools, MOST)).toBe('created');
      expect(await stored(record)).toStrictEqual(record);
      expect(await imports().tools([record.id])).toStrictEqual([tools[1], tools[0]]);
      const bare = await created({ address: null, checked_at: null, check_error: null, kind: 'openapi' }, 0);
      expect(await stored(bare)).toStrictEqual(bare);
      expect(await imports().tools([bare.id])).toStrictEqual([]);
    });

    it('returns null for an unknown name, and for a name of another owner', async () => {
      const record = await created();
      expect(await imports().get(record.owner, hash())).toBeNull();
      expect(await imports().get(hash(), record.name)).toBeNull();
      expect(await imports().get(EVERYONE, record.name)).toBeNull();
    });

    it('lists the imports of one owner by name, and the tools of several imports by import', async () => {
      const owner = randomUUID();
      const b = await created({ owner, name: `b${hash()}` });
      const a = await created({ owner, name: `a${hash()}` });
      await created();
      expect(await imports().list(owner)).toStrictEqual([a, b]);
      expect(await imports().list(hash())).toStrictEqual([]);
      const [first, second] = [a, b].toSorted((one, other) => (one.id < other.id ? -1 : 1));
      const listed = await imports().tools([b.id, a.id, b.id, hash()]);
      expect(listed.map(({ import_id }) => import_id)).toEqual([
        first?.id,
        first?.id,
        second?.id,
        second?.id,
      ]);
      expect(listed.map(({ position }) => position)).toEqual([0, 1, 0, 1]);
      expect(await imports().tools([])).toStrictEqual([]);
    });

    it('lists the tools of more imports than a statement has parameters', async () => {
      const { id } = await created();
      const ids = Array.from({ length: 250 }, () => randomUUID());
      expect(await imports().tools([...ids, id])).toHaveLength(2);
    });

    it('tells how many tools each import of an owner has, and how long their definitions are', async () => {
      const owner = randomUUID();
      const first = importRecord({ owner });
      const tools = [
        importTool(first, 0, { definition: 'é2345', found: null }),
        importTool(first, 1, { definition: null, found: '123' }),
      ];
      await imports().create(first, tools, MOST);
      const empty = await created({ owner }, 0);
      await created();
      expect(await imports().sizes(owner)).toStrictEqual([{ import_id: first.id, tools: 2, characters: 8 }]);
      expect(await imports().sizes(hash())).toStrictEqual([]);
      expect(await imports().delete(first)).toBe(true);
      expect(await imports().delete(empty)).toBe(true);
      expect(await imports().sizes(owner)).toStrictEqual([]);
    });

    it('refuses a name that the owner has, without changing what is stored', async () => {
      const record = await created();
      const again = importRecord({ owner: record.owner, name: record.name });
      expect(await imports().create(again, toolsOf(again, 1), MOST)).toBe('taken');
      expect(await stored(record)).toStrictEqual(record);
      expect(await imports().tools([again.id])).toStrictEqual([]);
      await created({ name: record.name });
    });

    it('refuses a name that everyone has to a person, and one that a person has to everyone', () =>
      forEveryone(async () => {
        const shared = await created({ owner: EVERYONE });
        const own = await created();
        const [mine, theirs] = [
          importRecord({ name: shared.name }),
          next(own, { owner: EVERYONE, id: hash() }),
        ];
        expect(await imports().create(mine, [], MOST)).toBe('taken');
        expect(await imports().create(theirs, [], MOST)).toBe('taken');
        expect(await imports().list(EVERYONE)).toStrictEqual([shared]);
      }));

    it('refuses an import when its owner has as many as allowed', async () => {
      const { owner } = await created();
      const second = importRecord({ owner });
      expect(await imports().create(second, toolsOf(second, 1), 1)).toBe('full');
      expect(await imports().create(second, toolsOf(second, 1), 2)).toBe('created');
      expect(await imports().list(owner)).toHaveLength(2);
    });

    it('gives a name to one of 20 racing calls of an owner, with the tools of that call', async () => {
      const { owner, name } = importRecord();
      const racers = Array.from({ length: 20 }, () => importRecord({ owner, name }));
      const answers = await Promise.all(
        racers.map((racer) => imports().create(racer, toolsOf(racer, 3), MOST)),
      );
      expect([count(answers, 'created'), count(answers, 'taken')]).toEqual([1, 19]);
      const winner = racers[answers.indexOf('created')];
      expect(await imports().list(owner)).toStrictEqual([winner]);
      const tools = await imports().tools(racers.map(({ id }) => id));
      expect(tools.map(({ import_id }) => import_id)).toEqual([winner?.id, winner?.id, winner?.id]);
    });

    it('never gives a name to everyone and to a person when they race', () =>
      forEveryone(async () => {
        for (let round = 0; round < 5; round++) {
          const { name } = importRecord();
          const racers = [EVERYONE, randomUUID(), EVERYONE, randomUUID()].map((owner) =>
            importRecord({ owner, name }),
          );
          const answers = await Promise.all(racers.map((racer) => imports().create(racer, [], MOST)));
          const owners = racers.flatMap(({ owner }, at) => (answers[at] === 'created' ? [owner] : []));
          expect(owners.length).toBeGreaterThan(0);
          if (owners.includes(EVERYONE)) expect(owners).toEqual([EVERYONE]);
        }
      }));

    it('never exceeds the number of imports when 20 calls of an owner race', async () => {
      const owner = randomUUID();
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => imports().create(importRecord({ owner }), [], 7)),
      );
      expect([count(answers, 'created'), count(answers, 'full')]).toEqual([7, 13]);
      expect(await imports().list(owner)).toHaveLength(7);
    });

    it('replaces the record and the given tools, removes others, and keeps the rest', async () => {
      const first = await created({}, 4);
      const [kept, changed, , dropped] = toolsOf(first, 4);
      const before = await imports().tools([first.id]);
      const second = next(first, {
        kind: 'openapi',
        display_name: 'Another',
        description: '',
        address: null,
        settings: 'sealed again',
        created_by: hash(),
        updated_at: NOW + 1,
        checked_at: NOW + 2,
        check_error: null,
      });
      const added = importTool(first, 9);
      const replaced = importTool(first, 1, { state: 'granted', found: null, found_digest: null });
      expect(changed?.name).toBe(replaced.name);
      const asked = { ...second, owner: hash(), name: hash(), created_at: 1 };
      expect(
        await imports().update(first, asked, {
          tools: [added, replaced],
          removed: [dropped?.name ?? '', 'none'],
        }),
      ).toBe(true);
      expect(await stored(first)).toStrictEqual(second);
      expect(kept?.name).toBe(before[0]?.name);
      expect(await imports().tools([first.id])).toStrictEqual([before[0], replaced, before[2], added]);
      expect(await imports().update(second, next(second), { removed: before.map(({ name }) => name) })).toBe(
        true,
      );
      expect(await imports().tools([first.id])).toStrictEqual([added]);
    });

    it('keeps the tools when only the record is replaced', async () => {
      const first = await created();
      const before = await imports().tools([first.id]);
      const second = next(first, { checked_at: NOW + 9 });
      expect(await imports().update(first, second, {})).toBe(true);
      expect(await stored(first)).toStrictEqual(second);
      expect(await imports().tools([first.id])).toStrictEqual(before);
    });

    it('changes nothing when the version or the settings are others, or the import is gone', async () => {
      const first = await created();
      const before = await imports().tools([first.id]);
      const tools = [importTool(first, 0), importTool(first, 7)];
      const changes = { tools, removed: [before[1]?.name ?? ''] };
      const { version, settings } = first;
      for (const seen of [
        { version: hash(), settings },
        { version, settings: hash() },
      ])
        for (const change of [changes, {}])
          expect(await imports().update(seen, next(first), change)).toBe(false);
      expect(await stored(first)).toStrictEqual(first);
      expect(await imports().tools([first.id])).toStrictEqual(before);
      expect((await imports().revision(first.owner))?.own).toBe(first.version);
      const gone = importRecord();
      expect(await imports().update(gone, next(gone), { tools: toolsOf(gone, 1) })).toBe(false);
      expect(await imports().tools([gone.id])).toStrictEqual([]);
    });

    it('lets one of 20 racing updates win, with its own tools only', async () => {
      const first = await created();
      const racers = Array.from({ length: 20 }, (_, at) => {
        const tools = [importTool(first, 0), importTool(first, at + 5)];
        return { record: next(first), tools };
      });
      const won = await Promise.all(
        racers.map(({ record, tools }) =>
          imports().update(first, record, { tools, removed: [`${first.name}_tool_1`] }),
        ),
      );
      expect(count(won, true)).toBe(1);
      const winner = racers[won.indexOf(true)];
      expect(await stored(first)).toStrictEqual(winner?.record);
      expect(await imports().tools([first.id])).toStrictEqual(winner?.tools);
    });

    it('stores 2,000 tools of 16 MiB, and shows none of them before all', async () => {
      const old = await created({}, 0);
      const text = JSON.stringify('"\\ü'.repeat(1_400));
      const tools = toolsOf(old, 2_000).map((tool): ImportToolRecord => ({
        ...tool,
        // Three of them are as long as a text may be.
        definition: tool.position < 3 ? text.repeat(64).slice(0, 256 * 1_024) : text,
        found: tool.position < 3 ? text.repeat(64).slice(0, 256 * 1_024) : null,
      }));
      const fresh = importRecord({ owner: old.owner });
      const own = tools.map((tool) => ({ ...tool, import_id: fresh.id }));
      const writes = Promise.all([
        imports().update(old, next(old), { tools }),
        imports().create(fresh, own, MOST),
      ]);
      const seen = new Set<number>();
      const state = { done: false };
      const reading = (async () => {
        while (!state.done) {
          for (const { id } of [old, fresh]) seen.add((await imports().tools([id])).length);
          await new Promise((resolve) => setImmediate(resolve));
        }
      })();
      const answers = await writes.finally(() => (state.done = true));
      await reading;
      expect(answers).toEqual([true, 'created']);
      expect([...seen].filter((length) => length !== 0 && length !== 2_000)).toEqual([]);
      expect(await imports().tools([old.id])).toStrictEqual(tools);
      expect(await imports().tools([fresh.id])).toStrictEqual(own);
      expect(await imports().update(fresh, next(fresh), { removed: own.map(({ name }) => name) })).toBe(true);
      expect(await imports().tools([fresh.id])).toStrictEqual([]);
      for (const record of [old, fresh]) expect(await imports().delete(record)).toBe(true);
    });

    it('keeps stored tools when the sweep runs, and writes nothing of an import whose tools were swept', async () => {
      const record = await created();
      const before = await imports().tools([record.id]);
      while (await store().sweep(NOW + 9 * HOUR));
      expect(await imports().tools([record.id])).toStrictEqual(before);
      for (let round = 0; round < 10; round++) {
        const { version, settings } = (await stored(record)) ?? record;
        const changed = next(record, { settings, description: `round ${round}` });
        const tools = Array.from({ length: 5 }, (_, at) => importTool(record, 10 * (round + 1) + at));
        const names = (await imports().tools([record.id])).map(({ name }) => name);
        const [isUpdated] = await Promise.all([
          imports().update({ version, settings }, changed, { tools, removed: names }),
          store().sweep(NOW + 9 * HOUR),
        ]);
        const now = (await imports().tools([record.id])).map(({ name }) => name);
        expect(now).toEqual(isUpdated ? tools.map(({ name }) => name) : names);
      }
    });

    it('has a revision for the person and one for everyone, which every write changes', () =>
      forEveryone(async () => {
        const owner = randomUUID();
        const before = await imports().revision(owner);
        expect(before?.own ?? null).toBeNull();
        const seen = new Set<string | null | undefined>();
        const note = async () => seen.add((await imports().revision(owner))?.own);
        const first = await created({ owner });
        await note();
        const second = next(first);
        await imports().update(first, second, { tools: [importTool(first, 0)] });
        await note();
        const third = next(second);
        await imports().update(second, third, {});
        await note();
        await imports().delete(third);
        await note();
        const other = await created({ owner });
        await note();
        await imports().delete(other);
        await note();
        expect(seen.size).toBe(6);
        expect(seen).not.toContain(null);
        expect((await imports().revision(owner))?.everyone ?? null).toBe(before?.everyone ?? null);
        const shared = await created({ owner: EVERYONE });
        expect((await imports().revision(owner))?.everyone).toBe(shared.version);
        expect(await imports().revision(hash())).toStrictEqual({
          scripts: null,
          everyone: shared.version,
          own: null,
        });
      }));

    it('keeps the revision when a call changes nothing', async () => {
      const record = await created();
      const revision = await imports().revision(record.owner);
      await imports().create(importRecord({ owner: record.owner, name: record.name }), [], MOST);
      await imports().create(importRecord({ owner: record.owner }), [], 1);
      await imports().delete({ ...record, id: hash() });
      await imports().delete({ ...record, owner: hash() });
      await imports().delete({ ...record, name: hash() });
      expect(await imports().revision(record.owner)).toStrictEqual(revision);
      expect(await stored(record)).toStrictEqual(record);
    });

    it("deletes a person's import once, with its tools and that person's connection only", async () => {
      const [record, other] = [await created(), await created()];
      const own = connection({ user_id: record.owner, integration: record.name });
      const kept = [
        connection({ user_id: record.owner }),
        connection({ user_id: other.owner, integration: record.name }),
      ];
      for (const put of [own, ...kept]) await store().connections.put(put);
      expect(await imports().delete(record)).toBe(true);
      expect(await imports().delete(record)).toBe(false);
      expect(await stored(record)).toBeNull();
      expect(await imports().tools([record.id, other.id])).toHaveLength(2);
      expect(await store().connections.get(own.user_id, own.integration, '')).toBeNull();
      for (const { user_id, integration } of kept)
        expect(await store().connections.get(user_id, integration, '')).not.toBeNull();
      await created({ owner: record.owner, name: record.name });
    });

    it("deletes everybody's connections with an import for everyone, and no pending revocation", async () => {
      const record = await created({ owner: EVERYONE });
      const all = [1, 2, 3].map(() => connection({ integration: record.name }));
      const other = connection();
      for (const put of [...all, other]) await store().connections.put(put);
      const [ended] = all;
      if (ended === undefined) throw new Error('a connection is needed');
      const { user_id, integration } = ended;
      const pending = { id: randomUUID(), user_id, integration, credential: 'sealed', attempts: 0 };
      const times = { due_at: NOW, expires_at: NOW + 60, created_at: NOW };
      expect(await store().revocations.begin(ended, { ...pending, ...times })).toBe(true);
      expect(await imports().delete(record)).toBe(true);
      for (const { user_id: user } of all)
        expect(await store().connections.get(user, record.name, '')).toBeNull();
      expect(await store().connections.get(other.user_id, other.integration, '')).not.toBeNull();
      expect(await store().revocations.list(user_id, integration)).toStrictEqual([{ ...pending, ...times }]);
    });

    it('leaves nothing of an import that is deleted while 10 updates race', async () => {
      for (let round = 0; round < 5; round++) {
        const record = await created();
        const update = () => imports().update(record, next(record), { tools: toolsOf(record, 3) });
        const answers = await Promise.all([
          ...Array.from({ length: 5 }, update),
          imports().delete(record),
          ...Array.from({ length: 5 }, update),
          imports().delete(record),
        ]);
        expect(count([answers[5], answers[11]], true)).toBe(1);
        expect(await stored(record)).toBeNull();
        expect(await imports().tools([record.id])).toStrictEqual([]);
      }
    });

    it('lists the imports whose check is due, those first that were checked longest ago', async () => {
      const never = await created({ checked_at: null });
      const [late, early, fresh] = [
        await created({ checked_at: 20 }),
        await created({ checked_at: 10 }),
        await created(),
      ];
      const due = await imports().due(20, 1_000);
      expect(due.filter(({ checked_at }) => checked_at !== null)).toStrictEqual([early, late]);
      expect(due).toContainEqual(never);
      expect(due).not.toContainEqual(fresh);
      expect(due[0]?.checked_at).toBeNull();
      expect(await imports().due(20, 1)).toHaveLength(1);
    });

    it('sets the time of the last check, and keeps the version and the revision', async () => {
      const { id, ...record } = await created({ checked_at: 10 });
      const revision = await imports().revision(record.owner);
      await imports().markChecked(id, 30);
      expect(await imports().get(record.owner, record.name)).toStrictEqual({ ...record, id, checked_at: 30 });
      expect(await imports().revision(record.owner)).toEqual(revision);
      await imports().markChecked(hash(), 30);
    });

    it('pages through the imports of all owners by id', async () => {
      const made = [await created(), await created(), await created()];
      const seen: ImportRecord[] = [];
      for (let page = await imports().page(null, 2); page.length > 0;) {
        seen.push(...page);
        page = await imports().page(page.at(-1)?.id ?? null, 2);
      }
      expect(seen).toEqual(expect.arrayContaining(made));
      expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
    });

    it('swaps the settings only while they are the expected ones, and keeps version and revision', async () => {
      const [record, other] = [await created(), await created()];
      expect(await imports().swapSettings(record.id, hash(), 'next')).toBe(false);
      expect(await imports().swapSettings(record.id, record.settings, 'next')).toBe(true);
      expect(await imports().swapSettings(hash(), record.settings, 'next')).toBe(false);
      expect(await stored(record)).toStrictEqual({ ...record, settings: 'next' });
      expect(await stored(other)).toStrictEqual(other);
      expect((await imports().revision(record.owner))?.own).toBe(record.version);
      // An update that has read the former settings does not bring them back.
      expect(await imports().update(record, next(record), {})).toBe(false);
    });
  });
}
