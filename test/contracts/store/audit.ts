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

    it('finds a row by its id', async () => {
      const row = entry({ status: 502, details: hash() });
      await store().audit.append([row]);
      const [listed] = await store().audit.list({ user_id: row.user_id, limit: 1 });
      const id = listed?.id ?? 0;
      expect(await store().audit.get(id)).toStrictEqual({ ...row, id });
      expect(await store().audit.get(999_999_999_999_999)).toBeNull();
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

    it('filters by outcome, access, account and time, alone and combined', async () => {
      const { user_id } = entry();
      await store().audit.append([
        entry({ user_id, outcome: 'approved', access: null, created_at: NOW - 1 }),
        entry({ user_id, outcome: 'blocked', access: 'destroy', account: 'Work' }),
        entry({ user_id, outcome: 'blocked', access: 'read', created_at: NOW + 1 }),
      ]);
      const count = async (filter: object) =>
        (await store().audit.list({ user_id, limit: 9, ...filter })).length;
      expect(await count({ outcome: 'blocked' })).toBe(2);
      expect(await count({ outcome: 'blocked', access: 'destroy' })).toBe(1);
      expect(await count({ account: 'Work' })).toBe(1);
      expect(await count({ since: NOW })).toBe(2);
      expect(await count({ since: NOW, until: NOW })).toBe(1);
      expect(await count({ until: NOW - 2 })).toBe(0);
    });

    it('finds words in the facts of a row, in any case, and takes each character for itself', async () => {
      const { user_id } = entry();
      await store().audit.append([
        entry({ user_id, tool: 'github_list_issues', client_name: 'Claude' }),
        entry({ user_id, integration: 'slack', tool: 'slack_send', error: 'Timeout after 100% of_it' }),
        entry({ user_id, integration: 'slack', tool: 'slack_read', account: 'Work!' }),
      ]);
      const toolsOf = async (...words: string[]) =>
        (await store().audit.list({ user_id, words, limit: 9 })).map(({ tool }) => tool);
      expect(await toolsOf('GitHub', 'claude')).toStrictEqual(['github_list_issues']);
      expect(await toolsOf('slack')).toStrictEqual(['slack_read', 'slack_send']);
      expect(await toolsOf('timeout', '100%')).toStrictEqual(['slack_send']);
      expect(await toolsOf('work!')).toStrictEqual(['slack_read']);
      expect(await toolsOf('1_0%')).toStrictEqual([]);
      expect(await toolsOf('slack', 'claude')).toStrictEqual([]);
    });

    it('groups failed rows of the same tool, outcome and error, and lists those of one group', async () => {
      const { user_id } = entry();
      const failed = (changes: object) => entry({ user_id, success: false, outcome: 'error', ...changes });
      await store().audit.append([
        failed({ tool: 'a', error: 'no', created_at: NOW - 9 }),
        failed({ tool: 'b', error: null, outcome: null }),
        failed({ tool: 'a', error: 'no' }),
        failed({ tool: 'a', error: 'other' }),
        entry({ user_id, tool: 'a' }),
        failed({ user_id: entry().user_id, tool: 'a', error: 'no' }),
      ]);
      const rows = await store().audit.list({ user_id, limit: 9 });
      const groups = await store().audit.failures({ user_id, limit: 9 });
      const same = { integration: 'github', last: NOW };
      expect(groups).toEqual([
        { ...same, tool: 'a', outcome: 'error', error: 'other', calls: 1, id: rows[1]?.id, first: NOW },
        { ...same, tool: 'a', outcome: 'error', error: 'no', calls: 2, id: rows[2]?.id, first: NOW - 9 },
        { ...same, tool: 'b', outcome: null, error: null, calls: 1, id: rows[3]?.id, first: NOW },
      ]);
      expect(await store().audit.failures({ user_id, tool: 'b', limit: 9 })).toHaveLength(1);
      expect(await store().audit.failures({ user_id, limit: 2 })).toEqual(groups.slice(0, 2));
      const idsLike = async (like: (typeof groups)[number] | undefined) =>
        (await store().audit.list({ user_id, like, limit: 9 })).map(({ id }) => id);
      expect(await idsLike(groups[1])).toEqual([rows[2]?.id, rows[4]?.id]);
      expect(await idsLike(groups[2])).toEqual([rows[3]?.id]);
    });

    it('counts the rows of each span of time', async () => {
      const { user_id } = entry();
      const at = (created_at: number, success = true) => entry({ user_id, success, created_at });
      const noon = NOW - (NOW % 86_400) + 43_200;
      await store().audit.append([
        at(noon),
        at(noon + 59, false),
        at(noon + 60),
        at(noon + 3_600, false),
        entry(),
      ]);
      const count = (seconds: number, ahead = 0, query = {}) =>
        store().audit.histogram({ user_id, ...query }, { seconds, ahead });
      expect(await count(60)).toEqual([
        { at: noon, calls: 2, failed: 1 },
        { at: noon + 60, calls: 1, failed: 0 },
        { at: noon + 3_600, calls: 1, failed: 1 },
      ]);
      // A day that begins at noon begins there.
      expect(await count(86_400, 43_200)).toEqual([{ at: noon, calls: 4, failed: 2 }]);
      expect(await count(60, 0, { success: false, since: noon + 60 })).toEqual([
        { at: noon + 3_600, calls: 1, failed: 1 },
      ]);
    });

    it('finds the nth row of a person, and the nth failed one', async () => {
      const { user_id } = entry();
      const made = [true, false, true, true, false, true, true].map((success, at) =>
        entry({ user_id, success, created_at: NOW + at }),
      );
      await store().audit.append(made.flatMap((row) => [row, entry()]));
      const rows = (await store().audit.list({ user_id, limit: 9 })).map(({ id, created_at }) => ({
        id,
        created_at,
      }));
      const down = (count: number, before?: number, success?: boolean) =>
        store().audit.down(count, { user_id, before, success });
      expect([await down(1), await down(3), await down(7)]).toEqual([rows[0], rows[2], rows[6]]);
      expect(await down(8)).toBeNull();
      expect([await down(2, rows[2]?.id), await down(5, rows[2]?.id)]).toEqual([rows[4], null]);
      expect([await down(2, undefined, false), await down(1, rows[2]?.id, false)]).toEqual([
        rows[5],
        rows[5],
      ]);
      expect(await down(2, rows[2]?.id, false)).toBeNull();
      const found = await store().audit.list({ user_id, from: rows[4]?.id, limit: 9 });
      expect(found.map(({ id }) => id)).toEqual(rows.slice(0, 5).map(({ id }) => id));
    });

    it('finds the ids of a time, also of rows that were stored late', async () => {
      const { user_id } = entry();
      // No other test has rows of this time.
      const then = NOW + 1_000_000;
      const times = [0, 10, 20, 5, 30].map((after) => then + after);
      await store().audit.append(times.map((created_at) => entry({ user_id, created_at })));
      const idsOf = async (since?: number, until?: number) => {
        const span = await store().audit.span({ since, until });
        if (span === null) return null;
        const rows = await store().audit.list({ user_id, since, until, ...span, limit: 9 });
        return rows.map(({ created_at }) => created_at - then);
      };
      expect(await idsOf(then + 5, then + 10)).toEqual([5, 10]);
      expect(await idsOf(then + 20)).toEqual([30, 20]);
      expect(await idsOf(undefined, then + 5)).toEqual([5, 0]);
      expect(await idsOf(then + 11, then + 19)).toEqual([]);
      expect(await idsOf(then + 31)).toBeNull();
      expect(await idsOf(undefined, 0)).toBeNull();
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
