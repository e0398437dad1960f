// Tests what `SavedScripts` and `ScriptRuns` must do.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type {
  MostRuns,
  ScriptCallRecord,
  ScriptRecord,
  ScriptRunRecord,
} from '../../../src/ports/scripts.ts';
import { EVERYONE, type Store } from '../../../src/ports/store.ts';
import { hash, newUser, NOW } from './records.ts';

const MOST = { scripts: 3, versions: 2 };
const MANY: MostRuns = { runs: 1_000, characters: 2 ** 30 };
const RACERS = 20;

export const runRecord = (changes: Partial<ScriptRunRecord> = {}): ScriptRunRecord => ({
  id: randomUUID(),
  user_id: 'nobody',
  caller: 'key',
  slot: hash(),
  script: null,
  script_version: null,
  state: 'running',
  version: randomUUID(),
  running_until: NOW + 45,
  calls: 0,
  created_at: NOW,
  updated_at: NOW,
  expires_at: NOW + 1_000,
  sealed: 'v1.key.Ünï 😀',
  ...changes,
});

export function scriptsContract(store: () => Store): void {
  const person = async () => (await store().users.create(newUser())).id;

  describe('saved scripts', () => {
    const scripts = () => store().scripts;
    const newScript = (owner: string, changes: Partial<ScriptRecord> = {}) => ({
      id: randomUUID(),
      owner,
      name: 'sum',
      description: 'Ünï 😀',
      code: 'return 1',
      args: null,
      digest: hash(),
      shared: null,
      created_by: owner,
      reviewed_by: null,
      created_at: NOW,
      ...changes,
    });

    it('counts the versions of a name, and forgets the oldest', async () => {
      const ana = await person();
      const first = newScript(ana);
      expect(await scripts().save(first, MOST)).toStrictEqual({ ...first, version: 1 });
      await scripts().save(newScript(ana), MOST);
      const third = newScript(ana, { code: 'return 3', args: '{}' });
      expect(await scripts().save(third, MOST)).toStrictEqual({ ...third, version: 3 });
      expect((await scripts().versions(ana, 'sum')).map(({ version }) => version)).toStrictEqual([3, 2]);
      expect(await scripts().list(ana)).toStrictEqual([{ ...third, version: 3 }]);
      expect(await scripts().list(await person())).toStrictEqual([]);
    });

    it('numbers versions that are saved at once', async () => {
      const ana = await person();
      const saved = await Promise.all(
        Array.from({ length: RACERS }, () => scripts().save(newScript(ana), { ...MOST, versions: RACERS })),
      );
      const versions = saved.map((each) => each?.version ?? 0).toSorted((one, other) => one - other);
      expect(versions).toStrictEqual(Array.from({ length: RACERS }, (_, at) => at + 1));
    });

    it('refuses one name too many, and a person who is gone', async () => {
      const ana = await person();
      for (const name of ['a', 'b', 'c'])
        expect(await scripts().save(newScript(ana, { name }), MOST)).not.toBeNull();
      expect(await scripts().save(newScript(ana, { name: 'd' }), MOST)).toBeNull();
      expect(await scripts().save(newScript(ana, { name: 'a' }), MOST)).toMatchObject({ version: 2 });
      expect(await scripts().save(newScript(randomUUID()), MOST)).toBeNull();
    });

    it('changes the revision of those who see a script, with each save and deletion', async () => {
      const [ana, ben] = [await person(), await person()];
      const revision = async (user: string) => (await store().imports.revision(user))?.scripts ?? null;
      const before = await revision(ben);
      await scripts().save(newScript(ana), MOST);
      const saved = await revision(ana);
      expect(saved).not.toBeNull();
      expect(await revision(ben)).toBe(before);
      expect(await scripts().delete(ana, 'sum')).toBe(true);
      expect(await revision(ana)).not.toBe(saved);
      expect(await scripts().delete(ana, 'sum')).toBe(false);
      const shared = newScript(EVERYONE, { name: `t${hash()}`, created_by: ana, reviewed_by: ben });
      await scripts().save(shared, { scripts: 1_000, versions: 2 });
      expect(await revision(ben)).not.toBe(before);
      await scripts().delete(EVERYONE, shared.name);
    });

    it('moves a version to a review once', async () => {
      const ana = await person();
      const saved = await scripts().save(newScript(ana), MOST);
      if (saved === null) throw new Error('the script was not saved');
      const moves = await Promise.all(
        Array.from({ length: RACERS }, () => scripts().share(saved, 'pending')),
      );
      expect(moves.filter(Boolean)).toHaveLength(1);
      expect(await scripts().pending(1_000)).toContainEqual({ ...saved, shared: 'pending' });
      expect(await scripts().share({ ...saved, shared: 'pending' }, 'reviewed')).toBe(true);
      expect(await scripts().pending(1_000)).not.toContainEqual(expect.objectContaining({ id: saved.id }));
    });
  });

  describe('runs of scripts', () => {
    const runs = () => store().scriptRuns;
    async function added(changes: Partial<ScriptRunRecord> = {}, most = MANY): Promise<ScriptRunRecord> {
      const run = runRecord({ user_id: changes.user_id ?? (await person()), ...changes });
      expect(await runs().add(run, most)).toBe(true);
      return run;
    }
    const callOf = (run: ScriptRunRecord, changes: Partial<ScriptCallRecord> = {}): ScriptCallRecord => ({
      run_id: run.id,
      position: 0,
      place: 0,
      user_id: run.user_id,
      expires_at: run.expires_at,
      sealed: 'v1.key.called',
      ...changes,
    });
    const taken = (until = NOW + 90) => ({
      version: randomUUID(),
      running_until: until,
      updated_at: NOW + 1,
    });
    const ended = (state: ScriptRunRecord['state']) => ({
      version: randomUUID(),
      state,
      updated_at: NOW + 2,
      sealed: 'v1.key.ended',
    });

    it('returns a run and its calls to its person alone', async () => {
      const [run, ben] = [await added(), await person()];
      expect(await runs().get(run.user_id, run.id)).toStrictEqual(run);
      expect(await runs().list(run.user_id, 10)).toStrictEqual([run]);
      expect(await runs().append(run, callOf(run), NOW + 1)).toBe(true);
      expect(await runs().calls(run.user_id, run.id)).toStrictEqual([callOf(run)]);
      expect(await runs().get(run.user_id, run.id)).toStrictEqual({ ...run, calls: 1, updated_at: NOW + 1 });
      expect(await runs().get(ben, run.id)).toBeNull();
      expect(await runs().calls(ben, run.id)).toStrictEqual([]);
      expect(await runs().add(runRecord({ user_id: randomUUID() }), MANY)).toBe(false);
    });

    it('lets only the process that holds a run write into its ledger', async () => {
      const run = await added();
      const next = taken();
      expect(await runs().claim(run, next)).toBe(true);
      expect(await runs().append(run, callOf(run), NOW)).toBe(false);
      expect(await runs().release(run, ended('done'))).toBe(false);
      const held = { ...run, ...next };
      expect(await runs().append(held, callOf(run), NOW)).toBe(true);
      expect(await runs().release(held, ended('waiting'))).toBe(true);
      expect(await runs().append(held, callOf(run, { position: 1, place: 1 }), NOW)).toBe(false);
      expect(await runs().calls(run.user_id, run.id)).toHaveLength(1);
    });

    it('replaces a call that waited, and never one that was answered', async () => {
      const run = await added();
      const waiting = callOf(run, { place: null, sealed: 'v1.key.waits' });
      expect(await runs().append(run, waiting, NOW)).toBe(true);
      expect(await runs().get(run.user_id, run.id)).toMatchObject({ calls: 0 });
      expect(await runs().append(run, { ...waiting, sealed: 'v1.key.again' }, NOW)).toBe(true);
      expect(await runs().append(run, callOf(run), NOW)).toBe(true);
      expect(await runs().append(run, callOf(run, { sealed: 'v1.key.other' }), NOW)).toBe(false);
      expect(await runs().calls(run.user_id, run.id)).toStrictEqual([callOf(run)]);
    });

    it('gives a run to one of any number of processes, and none that has ended', async () => {
      const run = await added({ state: 'waiting', running_until: null });
      const claims = Array.from({ length: RACERS }, () => taken());
      const answers = await Promise.all(claims.map((next) => runs().claim(run, next)));
      expect(answers.filter(Boolean)).toHaveLength(1);
      const won = claims[answers.indexOf(true)];
      if (won === undefined) throw new Error('nobody has the run');
      await runs().keep({ ...run, ...won }, NOW + 200);
      expect(await runs().get(run.user_id, run.id)).toMatchObject({
        state: 'running',
        running_until: NOW + 200,
      });
      const end = ended('done');
      expect(await runs().release({ ...run, ...won }, end)).toBe(true);
      expect(await runs().claim({ ...run, ...end }, taken())).toBe(false);
    });

    it('finds the newest run of a slot that has not ended', async () => {
      const user_id = await person();
      const slot = hash();
      await added({ user_id, slot, state: 'done', running_until: null });
      expect(await runs().open(user_id, slot, NOW)).toBeNull();
      const running = await added({ user_id, slot });
      expect(await runs().open(user_id, slot, NOW)).toStrictEqual(running);
      const waits = await added({
        user_id,
        slot,
        state: 'waiting',
        running_until: null,
        created_at: NOW + 1,
      });
      expect(await runs().open(user_id, slot, NOW + 5)).toStrictEqual(waits);
      expect(await runs().open(user_id, slot, NOW + 1_000)).toBeNull();
      expect(await runs().open(await person(), slot, NOW)).toBeNull();
    });

    it('deletes the oldest beyond the limit with their calls, and none that runs', async () => {
      const user_id = await person();
      const running = await added({ user_id, created_at: NOW - 9 });
      const old = await added({ user_id, created_at: NOW - 5 });
      await runs().append(old, callOf(old), NOW);
      await runs().release(old, ended('done'));
      const last = await added({ user_id }, { runs: 1, characters: 2 ** 30 });
      const ids = (await runs().list(user_id, 10)).map(({ id }) => id);
      expect(ids).toStrictEqual([last.id, running.id]);
      expect(await runs().calls(user_id, old.id)).toStrictEqual([]);
      expect(await runs().used(user_id)).toStrictEqual({ runs: 2, characters: 2 * last.sealed.length });
    });

    it('swaps sealed texts of runs and calls, page by page', async () => {
      const run = await added();
      const call = callOf(run);
      await runs().append(run, call, NOW);
      const seen: string[] = [];
      for (let after: string | null = null; ;) {
        const page = await runs().page(after, 2);
        seen.push(...page.map(({ id }) => id));
        after = page.at(-1)?.id ?? null;
        if (after === null) break;
      }
      expect(seen).toContain(run.id);
      expect(await runs().swapSealed(run.id, 'other', 'next')).toBe(false);
      expect(await runs().swapSealed(run.id, run.sealed, 'next')).toBe(true);
      const from = { run_id: run.id, position: -1 };
      expect((await runs().pageCalls(from, 1))[0]).toStrictEqual(call);
      expect(await runs().pageCalls(null, 1)).toHaveLength(1);
      expect(await runs().swapSealedCall(call, 'other', 'next')).toBe(false);
      expect(await runs().swapSealedCall(call, call.sealed, 'next')).toBe(true);
    });

    it('sweeps what is a day old, and leaves nothing of a person who is deleted', async () => {
      const run = await added({ expires_at: NOW - 1 });
      await runs().append(run, callOf(run), NOW);
      while (await store().sweep(NOW));
      expect(await runs().get(run.user_id, run.id)).toBeNull();
      expect(await runs().calls(run.user_id, run.id)).toStrictEqual([]);
    });
  });
}
