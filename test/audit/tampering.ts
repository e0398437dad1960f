// Changes a sealed audit log by hand in every way that comes to mind: a check names the segment and the rows each time.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createReadAuditFailures, createReadAuditPage, readAuditRows } from '../../src/record/model/page.ts';
import { headText } from '../../src/record/sealing/head.ts';
import { tables } from '../../drivers/sql/tables.ts';
import type { OpenEngine } from '../contracts/store/open.ts';
import { NOW } from '../contracts/store/records.ts';
import { createSealedAudit, KEY, kindsOf, OTHER_KEY, type SealedAudit } from '../support/sealed-audit.ts';

const NUMBERS = ['success', 'duration_ms', 'created_at', 'status'];

export function tamperingSuite(name: string, open: () => Promise<OpenEngine>): void {
  describe(`a sealed audit log on ${name}`, () => {
    let audit: SealedAudit;
    let ids: number[];
    beforeEach(async () => {
      audit = await createSealedAudit(open);
      ids = (await audit.run('select id from audit order by id')).map((row) => (row as { id: number }).id);
    });
    afterEach(() => audit.close());

    const id = (at: number): number => ids[at] ?? -1;
    const check = async () => kindsOf(await audit.verify());

    it('fits while nobody changes it', async () => {
      const verified = await audit.verify();
      expect(verified).toMatchObject({ segments: 3, rows: 25, unsealedRows: 0, problems: [] });
      const rows = await audit.run('select * from audit_segments order by segment');
      expect(rows).toMatchObject([{ rows: 10 }, { rows: 10 }, { rows: 5, size: 25 }]);
      const salts = new Set((await audit.run('select salt from audit')).map((row) => JSON.stringify(row)));
      expect(salts.size).toBe(25);
    });

    it('names the segment and the row of a change in any column', async () => {
      const kept = new Set(['id', 'erasure']);
      for (const column of Object.keys(tables.audit.columns).filter((each) => !kept.has(each))) {
        const [before] = await audit.run(`select ${column} as value from audit where id = ${id(12)}`);
        const { value } = before as { value: string | number | null };
        const changed = NUMBERS.includes(column) ? Number(value) + 1 : `${value} changed`;
        const set = `update audit set ${column} = ${audit.engine.dialect === 'sqlite' ? '?' : '$1'} where id = ${id(12)}`;
        await audit.run(set, [changed]);
        const found = await check();
        expect({ column, found }).toEqual({
          column,
          found: expect.arrayContaining([`rows-changed 2 ${id(12)}`]),
        });
        await audit.run(set, [value]);
      }
      expect(await check()).toEqual([]);
    });

    it('names rows that were deleted, one by one, at the end of a segment, and all of them', async () => {
      await audit.run(`delete from audit where id in (${id(3)}, ${id(5)})`);
      await audit.run(`delete from audit where id in (${id(18)}, ${id(19)})`);
      await audit.run(`delete from audit where id >= ${id(20)}`);
      expect(await check()).toEqual([
        `rows-missing 1 ${id(3)},${id(5)}`,
        `rows-missing 2 ${id(18)}-${id(19)}`,
        `rows-missing 3 ${id(20)}-${id(24)}`,
      ]);
    });

    /** Seals as a process does that has just started. */
    const sealAnew = async () => {
      const { openAudit } = await import('../support/sealed-audit.ts');
      await openAudit(audit.engine, { now: audit.clock.now() }).seal();
    };

    /** Copies a row, with another tool and an id of any size. */
    const copy = (from: number, to: number | bigint) => {
      const columns = 'user_id, integration, action, success, duration_ms, created_at';
      const overriding = audit.engine.dialect === 'postgres' ? 'overriding system value' : '';
      // Without a column to return, node:sqlite returns the id, and fails where a number cannot hold it.
      return audit.run(
        `insert into audit (id, tool, ${columns}) ${overriding} select ${to}, 'forged_tool', ${columns} from audit where id = ${from} returning 1`,
      );
    };

    it('names rows that were inserted between sealed rows, and before the first one', async () => {
      await audit.run(`delete from audit where id = ${id(4)}`);
      await copy(id(7), id(4));
      expect(await check()).toEqual([`rows-changed 1 ${id(4)}`]);
      await audit.run(`delete from audit where id <= ${id(4)}`);
      await audit.run('delete from audit_segments');
      await sealAnew();
      expect(await check()).toEqual([]);
      await copy(id(7), id(0));
      expect(await check()).toEqual([`rows-extra 1 ${id(0)}`]);
    });

    it.each([0n, -5n, -9_007_199_254_740_991n, -9_223_372_036_854_775_800n, 9_007_199_254_740_992n])(
      'reports a row with the id %s, and neither lists, exports, counts nor seals it',
      async (outside) => {
        await audit.run(`delete from audit where id = ${id(24)}`);
        await audit.run('delete from audit_segments where segment = 3');
        // Row 6 has failed, so the copy is among the failed ones too.
        await copy(id(6), outside);
        await sealAnew();
        const verified = await audit.verify();
        expect(verified).toMatchObject({ segments: 3, rows: 24, unsealedRows: 0 });
        expect(kindsOf(verified)).toEqual(['rows-extra']);
        expect(verified.problems[0]?.text).toContain('1 row has an id below 1 or above 9007199254740991');

        const readAuditPage = createReadAuditPage(audit.deps);
        const readAuditFailures = createReadAuditFailures(audit.deps);
        const everybody = { user_id: null };
        const person = (await audit.store.audit.get(id(6)))?.user_id ?? '';
        for (const asked of [
          everybody,
          { user_id: person },
          { ...everybody, tool: 'forged_tool' },
          { ...everybody, success: false },
          { ...everybody, since: NOW - 1, until: NOW + 1 },
        ]) {
          const listed = (await readAuditPage(asked)).entries;
          const exported = (await Array.fromAsync(readAuditRows(audit.deps, asked))).flat();
          for (const row of [...listed, ...exported]) expect(row.tool).not.toBe('forged_tool');
        }
        const { groups } = await readAuditFailures(everybody);
        expect(groups.map(({ tool }) => tool)).not.toContain('forged_tool');
      },
    );

    it('names rows whose places were swapped, also across segments', async () => {
      const swap = async (one: number, other: number) => {
        // PostgreSQL refuses to change an identity, and its owner can turn that off.
        if (audit.engine.dialect === 'postgres')
          await audit.run('alter table audit alter column id drop identity if exists');
        await audit.run(`update audit set id = -99 where id = ${one}`);
        await audit.run(`update audit set id = ${one} where id = ${other}`);
        await audit.run(`update audit set id = ${other} where id = -99`);
      };
      await swap(id(2), id(6));
      await swap(id(13), id(23));
      expect(await check()).toEqual([
        `rows-reordered 1 ${id(2)},${id(6)}`,
        `rows-changed 2 ${id(13)}`,
        `rows-changed 3 ${id(23)}`,
      ]);
    });

    it('names a segment that was deleted, with and without its rows', async () => {
      await audit.run('delete from audit_segments where segment = 2');
      expect(await check()).toEqual(['missing-segment 2']);
      await audit.run(`delete from audit where id > ${id(9)} and id <= ${id(19)}`);
      expect(await check()).toEqual(['missing-segment 2']);
    });

    it('names the segment whose head was changed in any column', async () => {
      const later = ['row_index', 'pruned_at', 'pruned_key', 'pruned_signature', 'delivered_at', 'segment'];
      const columns = Object.entries(tables.audit_segments.columns);
      for (const [column, type] of columns.filter(([each]) => !later.includes(each))) {
        const [before] = await audit.run(`select ${column} as value from audit_segments where segment = 2`);
        const { value } = before as { value: string | number };
        const changed = type.startsWith('bigint') ? Number(value) + 1 : `0${String(value).slice(1)}`;
        const set = `update audit_segments set ${column} = ${audit.engine.dialect === 'sqlite' ? '?' : '$1'} where segment = 2`;
        await audit.run(set, [changed === value ? `1${String(value).slice(1)}` : changed]);
        const found = (await check()).map((kind) => kind.split(' ').slice(0, 2).join(' '));
        const expected = column === 'key' ? 'unknown-key 2' : 'signature 2';
        expect({ column, found }).toEqual({ column, found: expect.arrayContaining([expected]) });
        await audit.run(set, [value]);
      }
      expect(await check()).toEqual([]);
    });

    it('says that rows differ when the index was changed too, and needs no index to notice', async () => {
      await audit.run(`update audit set tool = 'other' where id = ${id(1)}`);
      for (const index of ["'1-999999999 '", "''", 'null']) {
        await audit.run(`update audit_segments set row_index = ${index} where segment = 1`);
        expect(await check()).toEqual(['rows-differ 1']);
      }
    });

    it('notices a chain that was written anew with another key, and one that was cut off or replaced with the right key', async () => {
      const heads = await audit.store.auditSegments.page(0, 9);
      const kept = heads.map((head) => ({ v: 1, ...head }));
      // Somebody without the key.
      await audit.run("update audit set tool = 'other'");
      await audit.run('delete from audit_segments');
      const { openAudit } = await import('../support/sealed-audit.ts');
      await openAudit(audit.engine, { key: OTHER_KEY }).seal();
      expect(await check()).toEqual(['unknown-key 1', 'unknown-key 2', 'unknown-key 3']);
      // Somebody with the key: only what was kept elsewhere shows it.
      await audit.run('delete from audit_segments');
      await openAudit(audit.engine).seal();
      expect(await check()).toEqual([]);
      expect(kindsOf(await audit.verify([KEY], kept))).toEqual(['head 1', 'head 2', 'head 3']);
      await audit.run('delete from audit_segments where segment = 3');
      expect(kindsOf(await audit.verify([KEY], kept))).toEqual(['head 1', 'head 2', 'missing-segment 3']);
      const [forged] = kept.map((head) => ({ ...head, rows: 9 }));
      expect(kindsOf(await audit.verify([KEY], [forged ?? {}]))).toEqual(['head 1']);
      await audit.run('delete from audit_segments');
      // Rows that are new are not sealed yet.
      expect(await check()).toEqual([]);
      audit.clock.advance(1_200);
      expect(await check()).toEqual(['nothing-sealed']);
    });

    it('refuses to go on after segments were taken away or forged, until a restart', async () => {
      await audit.run('delete from audit_segments where segment = 3');
      audit.clock.advance(700);
      await audit.seal();
      await audit.seal();
      expect(audit.lines.filter(({ event }) => event === 'audit rows are not sealed')).toHaveLength(1);
      expect((await audit.store.auditSegments.newest())?.segment).toBe(2);
      const forged = { ...(await audit.store.auditSegments.newest()), size: 21 };
      expect(await KEY.verify(headText(forged as never), forged.signature ?? '')).toBe(false);
      await audit.run('update audit_segments set size = 21 where segment = 2');
      const { openAudit } = await import('../support/sealed-audit.ts');
      const restarted = openAudit(audit.engine, { now: audit.clock.now() });
      await restarted.seal();
      expect(restarted.lines).toMatchObject([{ event: 'audit rows are not sealed' }]);
    });
  });
}
