// Tests what `ServiceKeys`, `ServiceActors` and `ActorLinks` must do.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ActorLink, ServiceActor, ServiceKey } from '../../../src/ports/actors.ts';
import type { Store } from '../../../src/ports/store.ts';
import { connection, hash, newUser, NOW } from './records.ts';

const MANY = 10_000;

const serviceKey = (changes: Partial<ServiceKey> = {}): ServiceKey => ({
  id: randomUUID(),
  name: 'Acme',
  key_sha: hash(),
  limits: '{"access":"read"}',
  return_to: '["https://acme.example/"]',
  mark: 'data:image/png;base64,iVBO',
  colours: '{"light":"#000000"}',
  notify: null,
  max_actors: 100,
  actors: 0,
  created_by: randomUUID(),
  created_at: NOW,
  last_used_at: null,
  ...changes,
});

const actorOf = (key: ServiceKey, changes: Partial<ServiceActor> = {}): ServiceActor => ({
  id: randomUUID(),
  service_key_id: key.id,
  external_id: randomUUID(),
  external_name: 'Ann',
  created_at: NOW,
  ...changes,
});

const linkOf = (actor: ServiceActor, changes: Partial<ActorLink> = {}): ActorLink => ({
  id: randomUUID(),
  token_sha: hash(),
  user_id: actor.id,
  service_key_id: actor.service_key_id,
  integration: 'github',
  account: null,
  return_to: 'https://acme.example/',
  state: 'open',
  binding: null,
  created_at: NOW,
  ends_at: NOW + 600,
  ended_at: null,
  expires_at: NOW + 10_000,
  ...changes,
});

export function actorsContract(store: () => Store): void {
  describe('service keys and actors', () => {
    const keys = () => store().serviceKeys;
    const actors = () => store().serviceActors;
    const links = () => store().actorLinks;

    async function keyWith(changes: Partial<ServiceKey> = {}): Promise<ServiceKey> {
      const made = serviceKey(changes);
      expect(await keys().add(made, MANY)).toBe(true);
      return made;
    }
    async function actorWith(key: ServiceKey, changes: Partial<ServiceActor> = {}): Promise<ServiceActor> {
      const made = actorOf(key, changes);
      expect(await actors().add(made)).toBe('added');
      return made;
    }
    const race = <T>(count: number, run: (n: number) => Promise<T>): Promise<T[]> =>
      Promise.all(Array.from({ length: count }, (_, n) => run(n)));

    it('returns a key with every field, by its id and by its digest', async () => {
      for (const made of [await keyWith(), await keyWith({ mark: null, colours: null, last_used_at: NOW })]) {
        expect(await keys().get(made.id)).toStrictEqual(made);
        expect(await keys().bySha(made.key_sha ?? '', null)).toStrictEqual({ key: made, actorId: null });
        expect(await keys().list()).toContainEqual(made);
      }
      expect(await keys().bySha(hash(), null)).toBeNull();
    });

    it('stores no key beyond the limit, and no row for it', async () => {
      const most = (await keys().list()).length + 3;
      const made = Array.from({ length: 10 }, () => serviceKey());
      const added = await Promise.all(made.map((each) => keys().add(each, most)));
      expect(added.filter(Boolean)).toHaveLength(3);
      for (const [at, { id }] of made.entries())
        expect((await store().users.byId(id)) !== null).toBe(added[at]);
    });

    it('changes, revokes and renews a key', async () => {
      const key = await keyWith();
      const sha = key.key_sha ?? '';
      expect(await keys().change(key.id, { name: 'Other', mark: null })).toBe(true);
      expect(await keys().change(randomUUID(), { name: 'Other' })).toBe(false);
      expect(await keys().setSha(key.id, null)).toBe(true);
      expect(await keys().bySha(sha, null)).toBeNull();
      expect(await keys().setSha(key.id, sha)).toBe(true);
      await keys().noteUse(key.id, NOW + 5);
      await keys().noteUse(key.id, NOW + 1);
      expect(await keys().get(key.id)).toMatchObject({ name: 'Other', mark: null, last_used_at: NOW + 5 });
    });

    it('adds one actor of many with the same name, and counts it once', async () => {
      const key = await keyWith();
      const added = await race(20, () => actors().add(actorOf(key, { external_id: 'ann' })));
      expect(added.filter((each) => each === 'added')).toHaveLength(1);
      expect(added.filter((each) => each === 'known')).toHaveLength(19);
      expect(await keys().get(key.id)).toMatchObject({ actors: 1 });
    });

    it('adds no actor beyond the limit of the key, also when 20 are added at once', async () => {
      const key = await keyWith({ max_actors: 5 });
      const added = await race(20, () => actors().add(actorOf(key)));
      expect(added.filter((each) => each === 'added')).toHaveLength(5);
      expect(added.filter((each) => each === 'full')).toHaveLength(15);
      expect(await keys().get(key.id)).toMatchObject({ actors: 5 });
      expect(await actors().add(actorOf(serviceKey()))).toBe('gone');
    });

    it('finds an actor only through its own key', async () => {
      const [one, two] = [await keyWith(), await keyWith()];
      const ann = await actorWith(one, { external_id: 'ann' });
      expect(await actors().get(one.id, 'ann')).toStrictEqual({ ...ann, connections: 0 });
      expect(await actors().get(two.id, 'ann')).toBeNull();
      expect(await keys().bySha(one.key_sha ?? '', 'ann')).toMatchObject({ actorId: ann.id });
      expect(await keys().bySha(two.key_sha ?? '', 'ann')).toMatchObject({ actorId: null });
      expect(await keys().acting(one.id, ann.id)).toMatchObject({ id: one.id });
      expect(await keys().acting(two.id, ann.id)).toBeNull();
      expect(await keys().acting(one.id, one.id)).toMatchObject({ id: one.id });
      await keys().setSha(one.id, null);
      expect(await keys().acting(one.id, ann.id)).toBeNull();
      expect(await actors().ofUser(ann.id)).toMatchObject({ actor: ann, key: { key_sha: null } });
      const person = await store().users.create(newUser());
      expect(await actors().ofUser(person.id)).toBeNull();
    });

    it('lists the actors of a key by their names, in pages', async () => {
      const key = await keyWith();
      for (const external_id of ['c', 'a', 'b']) await actorWith(key, { external_id });
      const names = async (after: string | undefined, limit: number) =>
        (await actors().page({ keyId: key.id, after, limit })).map((each) => each.external_id);
      expect(await names(undefined, 2)).toEqual(['a', 'b']);
      expect(await names('b', 2)).toEqual(['c']);
      expect(await names('c', 2)).toEqual([]);
    });

    it('finds the actors of a key by a part of their names', async () => {
      const [key, other] = [await keyWith(), await keyWith()];
      for (const external_id of ['user-12', 'USER-123', 'user_1', '100%'])
        await actorWith(key, { external_id });
      await actorWith(other, { external_id: 'user-124' });
      const names = async (contains: string, after?: string) =>
        (await actors().page({ keyId: key.id, contains, after, limit: 10 })).map((each) => each.external_id);
      expect(new Set(await names('r-12'))).toEqual(new Set(['user-12', 'USER-123']));
      expect(await names('R_1')).toEqual(['user_1']);
      expect(await names('%')).toEqual(['100%']);
      expect(await names('nobody')).toEqual([]);
      expect(await names('user-12', 'user-11')).toContain('user-12');
    });

    it('begins to delete an actor once, and frees its name', async () => {
      const key = await keyWith();
      const ann = await actorWith(key, { external_id: 'ann' });
      await links().add(linkOf(ann), MANY);
      const begun = await race(10, () => actors().beginDeletion(ann, NOW));
      expect(begun.filter(Boolean)).toHaveLength(1);
      expect(await keys().get(key.id)).toMatchObject({ actors: 0 });
      expect(await actors().get(key.id, 'ann')).toBeNull();
      expect(await store().users.byId(ann.id)).toMatchObject({ deleted_at: NOW, disabled_at: NOW });
      expect(await links().list({ keyId: key.id, limit: 10 })).toEqual([]);
      await actorWith(key, { external_id: 'ann' });
      const due = async (until: number) =>
        (await store().people.actorsToErase(until, { limit: 1_000, skipped: 0 })).map(({ id }) => id);
      expect(await due(NOW)).toContain(ann.id);
      expect(await due(NOW - 1)).not.toContain(ann.id);
      expect((await store().people.deleting()).map(({ id }) => id)).not.toContain(ann.id);
    });

    it('erases a key with all its actors', async () => {
      const [key, other] = [await keyWith(), await keyWith()];
      const ann = await actorWith(key);
      const bea = await actorWith(other);
      expect(await keys().erase(key.id, NOW)).toBe(true);
      expect(await keys().erase(key.id, NOW)).toBe(false);
      expect(await store().users.byId(key.id)).toMatchObject({ deleted_at: NOW });
      expect(await actors().ofUser(ann.id)).toBeNull();
      expect(await actors().add(actorOf(key))).toBe('gone');
      // The actors follow in portions.
      const before = await actors().countErasing();
      await actorWith(other);
      const gone = [{ id: key.id, deleted_at: NOW }];
      expect(await keys().beginDeletions(gone, 1)).toEqual(new Set([key.id]));
      expect(await store().users.byId(ann.id)).toMatchObject({
        deleted_at: NOW,
        external_id: null,
        email: `gone:${ann.id}`,
      });
      expect(await keys().beginDeletions(gone, 1)).toEqual(new Set());
      expect(await store().users.byId(bea.id)).toMatchObject({ deleted_at: null });
      expect(await actors().countErasing()).toBe(before);
      await store().people.erase([ann.id, key.id, bea.id], 'deleted-x');
      expect(await store().users.byId(ann.id)).toBeNull();
      expect(await store().users.byId(bea.id)).not.toBeNull();
      expect(await actors().countErasing()).toBe(before - 1);
    });

    it('moves the grants of many actors into pending revocations, and deletes all that they have', async () => {
      const key = await keyWith();
      const [ann, bea] = [await actorWith(key), await actorWith(key)];
      const other = await actorWith(key);
      for (const { id: user_id } of [ann, bea, other])
        for (const integration of ['github', 'gitlab'])
          await store().connections.put(connection({ user_id, integration }));
      const both = [ann.id, bea.id];
      expect(await store().connections.ofPeople(both)).toHaveLength(4);
      const revocation = (id: string) => ({
        id,
        user_id: 'deleted-y',
        integration: 'github',
        credential: 'sealed "text"',
        attempts: 0,
        due_at: NOW,
        expires_at: NOW + 1,
        created_at: NOW,
      });
      const ids = [randomUUID(), randomUUID()];
      await store().revocations.beginAll(both, ids.map(revocation));
      expect(await store().connections.ofPeople(both)).toEqual([]);
      expect(await store().connections.list(other.id)).toHaveLength(2);
      const pending = await store().revocations.ofUsers(['deleted-y', 'nobody']);
      expect(pending).toHaveLength(2);
      expect(pending).toContainEqual(revocation(ids[0] ?? ''));
      await store().revocations.beginAll([other.id], []);
      expect(await store().connections.list(other.id)).toEqual([]);
    });

    it('stores no link beyond the limit of an actor, and none for an actor that is gone', async () => {
      const key = await keyWith();
      const ann = await actorWith(key);
      const added = await race(20, () => links().add(linkOf(ann), 5));
      expect(added.filter((each) => each === 'added')).toHaveLength(5);
      expect(added.filter((each) => each === 'full')).toHaveLength(15);
      // Those that are over do not count.
      expect(await links().add(linkOf(ann, { created_at: NOW + 601, ends_at: NOW + 1_000 }), 5)).toBe(
        'added',
      );
      await actors().beginDeletion(ann, NOW);
      expect(await links().add(linkOf(ann), MANY)).toBe('gone');
    });

    it('binds a link to one browser, ends it once, and lists it', async () => {
      const key = await keyWith();
      const ann = await actorWith(key);
      const link = linkOf(ann, { account: 'work' });
      await links().add(link, MANY);
      expect(await links().byToken(link.token_sha)).toStrictEqual(link);
      const times = { now: NOW + 1, until: NOW + 900 };
      expect(await links().finish(link.id, NOW)).toBe(false);
      const opened = await race(10, () => links().open(link.id, hash(), times));
      expect(opened.filter(Boolean)).toHaveLength(1);
      const { binding } = (await links().get(link.id)) ?? {};
      expect(await links().open(link.id, binding ?? '', { now: NOW + 2, until: NOW + 5_000 })).toBe(true);
      expect(await links().get(link.id)).toMatchObject({ state: 'opened', ends_at: NOW + 900 });
      expect(await links().open(link.id, binding ?? '', { now: NOW + 900, until: NOW + 5_000 })).toBe(false);
      const ended = await race(10, () => links().finish(link.id, NOW + 3));
      expect(ended.filter(Boolean)).toHaveLength(1);
      expect(await links().open(link.id, binding ?? '', times)).toBe(false);
      expect(await links().list({ keyId: key.id, limit: 5 })).toMatchObject([
        { id: link.id, state: 'connected', ended_at: NOW + 3 },
      ]);
    });

    it('lists links in pages, newest first, and those that are due', async () => {
      const key = await keyWith();
      const ann = await actorWith(key);
      const made = [3, 1, 2].map((n) => linkOf(ann, { created_at: NOW + n, ends_at: NOW + 100 * n }));
      for (const link of made) await links().add(link, MANY);
      const all = await links().list({ keyId: key.id, limit: 2 });
      expect(all.map(({ created_at }) => created_at)).toEqual([NOW + 3, NOW + 2]);
      const rest = await links().list({ keyId: key.id, before: all[1], limit: 2 });
      expect(rest.map(({ created_at }) => created_at)).toEqual([NOW + 1]);
      const mine = (rows: ActorLink[]) => rows.filter(({ user_id }) => user_id === ann.id);
      const due = mine(await links().due(NOW + 250, MANY));
      expect(due.map(({ created_at }) => created_at)).toEqual([NOW + 1, NOW + 2]);
      const expired = await race(5, () => links().expire(due[0]?.id ?? '', NOW + 300));
      expect(expired.filter(Boolean)).toHaveLength(1);
      expect(mine(await links().due(NOW + 250, MANY))).toHaveLength(1);
    });
  });
}
