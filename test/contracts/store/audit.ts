// Tests what `AuditLog` and `sweep` must do.
import { describe, expect, it } from 'vitest';
import type { Store } from '../../../src/ports/store.ts';
import { begun, code, entry, flow, hash, NOW, putToken, token } from './records.ts';

export function auditContract(store: () => Store): void {
  describe('audit', () => {
    it('lists rows newest first with every field', async () => {
      const { user_id } = entry();
      const rows = [
        entry({ user_id }),
        entry({ user_id, action: 'CURL', success: false, error: 'Ünï 😀 "x" failed', duration_ms: 2 ** 33 }),
      ];
      await store().audit.append(rows);
      await store().audit.append([entry()]);
      const listed = await store().audit.list({ user_id, limit: 10 });
      const numbered = rows.map((row, index) => ({ ...row, id: listed.at(-1 - index)?.id }));
      expect(listed).toStrictEqual(numbered.toReversed());
    });

    it('appends any number of rows in order, also none', async () => {
      for (const count of [0, 1, 7, 13, 100, 203]) {
        const { user_id } = entry();
        const rows = Array.from({ length: count }, (_, index) => entry({ user_id, tool: `tool_${index}` }));
        await store().audit.append(rows);
        const listed = await store().audit.list({ user_id, limit: 1000 });
        expect(listed.map(({ tool }) => tool)).toStrictEqual(rows.map(({ tool }) => tool).toReversed());
      }
    });

    it('appends all rows or none', async () => {
      const { user_id } = entry();
      const rows = Array.from({ length: 99 }, () => entry({ user_id }));
      // No database accepts this row, because its time is missing.
      rows.push(entry({ user_id, created_at: Number.NaN }));
      await expect(store().audit.append(rows)).rejects.toThrow(/^\[\w+\] /);
      expect(await store().audit.list({ user_id, limit: 1000 })).toStrictEqual([]);
    });

    it('lists pages without gap or overlap', async () => {
      const { user_id } = entry();
      await store().audit.append(Array.from({ length: 25 }, () => entry({ user_id })));
      const seen: number[] = [];
      for (let before: number | undefined; ;) {
        const page = await store().audit.list({
          user_id,
          limit: 10,
          ...(before === undefined ? {} : { before }),
        });
        seen.push(...page.map(({ id }) => id));
        before = page.at(-1)?.id;
        if (before === undefined) break;
      }
      expect(new Set(seen).size).toBe(25);
      expect(seen).toStrictEqual(seen.toSorted((a, b) => b - a));
    });

    it('filters by integration, tool and success, alone and combined', async () => {
      const { user_id } = entry();
      await store().audit.append([
        entry({ user_id, integration: 'slack', tool: 'a' }),
        entry({ user_id, integration: 'slack', tool: 'b', success: false }),
        entry({ user_id, integration: 'jira', tool: 'a', success: false }),
      ]);
      const count = async (filter: object) =>
        (await store().audit.list({ user_id, limit: 9, ...filter })).length;
      expect(await count({ integration: 'slack' })).toBe(2);
      expect(await count({ tool: 'a' })).toBe(2);
      expect(await count({ success: true })).toBe(1);
      expect(await count({ success: false, tool: 'a', integration: 'jira' })).toBe(1);
      expect(await count({ success: true, tool: 'b' })).toBe(0);
    });

    it('filters by actor, alone and combined', async () => {
      const { user_id } = entry();
      await store().audit.append([
        entry({ user_id, actor: 'key' }),
        entry({ user_id, actor: 'key:1' }),
        entry({ user_id, actor: 'key:1', success: false }),
        entry({ user_id, actor: null }),
      ]);
      const actorsOf = async (filter: object) =>
        (await store().audit.list({ user_id, limit: 9, ...filter })).map(({ actor }) => actor);
      expect(await actorsOf({ actor: 'key:1' })).toStrictEqual(['key:1', 'key:1']);
      expect(await actorsOf({ actor: 'key' })).toStrictEqual(['key']);
      expect(await actorsOf({ actor: 'key:1', success: true })).toStrictEqual(['key:1']);
      expect(await actorsOf({ actor: 'key:2' })).toStrictEqual([]);
    });

    it('finds the id of the nth row of a person', async () => {
      const { user_id } = entry();
      await store().audit.append(Array.from({ length: 7 }, () => [entry({ user_id }), entry()]).flat());
      const ids = (await store().audit.list({ user_id, limit: 9 })).map(({ id }) => id);
      const down = (rows: number, before?: number) =>
        store().audit.down(rows, { user_id, ...(before === undefined ? {} : { before }) });
      expect([await down(1), await down(3), await down(7)]).toEqual([ids[0], ids[2], ids[6]]);
      expect(await down(8)).toBeNull();
      expect([await down(2, ids[2]), await down(5, ids[2])]).toEqual([ids[4], null]);
      const found = await store().audit.list({ user_id, from: ids[4] ?? 0, limit: 9 });
      expect(found.map(({ id }) => id)).toEqual(ids.slice(0, 5));
    });
  });

  describe('sweep', () => {
    it('deletes expired flows, codes and tokens and keeps the others', async () => {
      const old = [flow({ expires_at: NOW }), flow({ expires_at: NOW + 1 })] as const;
      const codes = [code({ expires_at: NOW }), code({ expires_at: NOW + 1 })] as const;
      const { user_id } = token();
      const gone = token({ user_id, expires_at: NOW });
      const kept = token({ user_id, expires_at: NOW + 1 });
      for (const put of old) await store().flows.put(put);
      for (const put of codes) await store().codes.put(put);
      for (const put of [gone, kept]) await putToken(store(), put);
      await store().sweep(NOW);
      expect(await Promise.all(old.map(({ state }) => store().flows.take(state)))).toStrictEqual([
        null,
        old[1],
      ]);
      expect(await Promise.all(codes.map((put) => store().codes.take(put.code, begun())))).toStrictEqual([
        null,
        codes[1],
      ]);
      expect(await store().refreshTokens.list(user_id, 0)).toStrictEqual([kept]);
    });

    it('remembers a used token for as long as its successor lives', async () => {
      const first = token();
      await putToken(store(), first);
      const again = {
        presented: first.token_hash,
        family: first.family,
        client_id: first.client_id,
        now: NOW,
        expires_at: NOW + 100,
      };
      const outcome = async () => (await store().refreshTokens.rotate({ ...again, next: hash() })).outcome;
      expect(await outcome()).toBe('rotated');
      await store().sweep(NOW + 99);
      expect(await outcome()).toBe('reused');
      await store().sweep(NOW + 100);
      expect(await outcome()).toBe('unknown');
    });
  });
}
