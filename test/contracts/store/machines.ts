// Tests what `Machines` must do.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { AgentKey } from '../../../src/ports/policy.ts';
import type { NewRule, TrustedIssuer } from '../../../src/ports/machines.ts';
import type { Store } from '../../../src/ports/store.ts';
import { agentKey, hash, machineClient, newUser, NOW, trustedIssuer, trustedRule } from './records.ts';

const MOST = 5;
const MANY = 10_000;

export function machinesContract(store: () => Store): void {
  describe('machines', () => {
    const machines = () => store().machines;

    async function keyOf(changes: Partial<AgentKey> = {}): Promise<AgentKey> {
      const user_id = changes.user_id ?? (await store().users.create(newUser())).id;
      const made = agentKey({ ...changes, user_id });
      await store().agentKeys.add(made, 100);
      return made;
    }
    const clientOf = ({ id, user_id }: AgentKey, changes = {}) =>
      machineClient({ key_id: id, user_id, ...changes });
    const ruleOf = ({ id, user_id }: AgentKey, changes: Partial<NewRule> = {}) =>
      trustedRule({ key_id: id, user_id, ...changes });
    async function trust(rules: NewRule[], changes: Partial<TrustedIssuer> = {}): Promise<TrustedIssuer> {
      const created_by = changes.created_by ?? (await store().users.create(newUser())).id;
      const made = trustedIssuer({ ...changes, created_by });
      expect(await machines().addIssuer(made, rules, MANY)).toBe(true);
      return made;
    }
    const placed = (issuer: TrustedIssuer, rules: readonly NewRule[]) =>
      rules.map((rule, place) => ({ ...rule, issuer_id: issuer.id, place }));

    it('returns a client with every field, and deletes it once', async () => {
      const key = await keyOf();
      for (const made of [
        clientOf(key),
        clientOf(key, { secret_sha: null, last_used_at: null }),
        clientOf(key, { jwk: null }),
      ]) {
        expect(await machines().addClient(made, MANY)).toBe(true);
        expect(await machines().client(made.client_id)).toStrictEqual(made);
        expect(await machines().clients()).toContainEqual(made);
        expect(await machines().any()).toMatchObject({ clients: true });
        const deleted = await Promise.all(
          Array.from({ length: 10 }, () => machines().deleteClient(made.client_id)),
        );
        expect(deleted.filter(Boolean)).toHaveLength(1);
        expect(await machines().client(made.client_id)).toBeNull();
      }
    });

    it('stores no client beyond the limit, also when 20 are added at once', async () => {
      const key = await keyOf();
      const made = Array.from({ length: 20 }, () => clientOf(key));
      const added = await Promise.all(made.map((each) => machines().addClient(each, MOST)));
      expect(added.filter(Boolean)).toHaveLength(MOST);
      expect(await machines().addClient(clientOf(await keyOf()), MOST)).toBe(true);
    });

    it("stores no client for somebody else's key, or for none", async () => {
      const [key, other] = [await keyOf(), await keyOf()];
      for (const wrong of [
        clientOf(key, { key_id: other.id }),
        clientOf(key, { key_id: randomUUID() }),
        clientOf(key, { user_id: randomUUID() }),
      ]) {
        expect(await machines().addClient(wrong, MANY)).toBe(false);
        expect(await machines().client(wrong.client_id)).toBeNull();
      }
    });

    it('returns the named key through a client or a rule, until either of them or the person is gone', async () => {
      const key = await keyOf();
      const [client, rule] = [clientOf(key), ruleOf(key)];
      await machines().addClient(client, MANY);
      const issuer = await trust([rule]);
      const vias = [client.client_id, rule.id];
      for (const via of vias) expect(await machines().key(key.id, via)).toStrictEqual(key);
      const other = await keyOf();
      for (const via of [...vias, randomUUID(), key.id])
        expect(await machines().key(other.id, via)).toBeNull();
      await machines().deleteClient(client.client_id);
      expect(await machines().key(key.id, client.client_id)).toBeNull();
      expect(await machines().key(key.id, rule.id)).toStrictEqual(key);
      await machines().deleteIssuer(issuer.id);
      expect(await machines().key(key.id, rule.id)).toBeNull();
      const [kept, lost] = [await keyOf(), clientOf(await keyOf())];
      const last = clientOf(kept);
      await machines().addClient(last, MANY);
      await machines().addClient(lost, MANY);
      await store().agentKeys.delete(kept.user_id, kept.id);
      expect(await machines().key(kept.id, last.client_id)).toBeNull();
      expect(await machines().key(lost.key_id, lost.client_id)).not.toBeNull();
      await store().people.disable(lost.user_id, { person: hash(), before: NOW, expires_at: NOW + 9 });
      expect(await machines().key(lost.key_id, lost.client_id)).toBeNull();
    });

    it('returns an issuer with its rules in their order, by its id and its address', async () => {
      const [key, other] = [await keyOf(), await keyOf()];
      const rules = [ruleOf(key), ruleOf(other, { claims: '{}', last_used_at: NOW }), ruleOf(key)];
      const issuer = await trust(rules);
      const whole = { issuer, rules: placed(issuer, rules) };
      expect(await machines().issuer({ id: issuer.id })).toStrictEqual(whole);
      expect(await machines().issuer({ issuer: issuer.issuer })).toStrictEqual(whole);
      expect(await machines().issuers()).toContainEqual(whole);
      expect(await machines().any()).toMatchObject({ issuers: true });
      expect(await machines().issuer({ id: randomUUID() })).toBeNull();
      expect(await machines().issuer({ issuer: `${issuer.issuer}/` })).toBeNull();
    });

    it('trusts an address once, also when 20 want it at once, and keeps only the rules of that one', async () => {
      const key = await keyOf();
      const address = `https://${hash()}.example`;
      const made = Array.from({ length: 20 }, () => ({
        issuer: trustedIssuer({ issuer: address, created_by: key.user_id }),
        rules: [ruleOf(key)],
      }));
      const added = await Promise.all(
        made.map(({ issuer, rules }) => machines().addIssuer(issuer, rules, MANY)),
      );
      expect(added.filter(Boolean)).toHaveLength(1);
      const [won] = made.filter((_, at) => added[at]);
      if (won === undefined) throw new Error('nobody has won');
      const { issuer, rules } = won;
      expect(await machines().issuer({ issuer: address })).toStrictEqual({
        issuer,
        rules: placed(issuer, rules),
      });
      for (const each of made)
        if (each !== won) expect(await machines().key(key.id, each.rules[0]?.id ?? '')).toBeNull();
    });

    it('adds no issuer beyond the limit, nor one of somebody who is gone', async () => {
      const key = await keyOf();
      const full = trustedIssuer({ created_by: key.user_id });
      expect(await machines().addIssuer(full, [ruleOf(key)], 0)).toBe(false);
      const lost = trustedIssuer();
      expect(await machines().addIssuer(lost, [ruleOf(key)], MANY)).toBe(false);
      for (const { id } of [full, lost]) expect(await machines().issuer({ id })).toBeNull();
    });

    it('leaves no rule of an issuer that is deleted while it is changed', async () => {
      const key = await keyOf();
      const rounds = Array.from({ length: 20 }, async () => {
        const rule = ruleOf(key);
        const issuer = await trust([rule]);
        const change = { name: 'changed', revision: randomUUID(), rules: [rule, ruleOf(key)] };
        await Promise.all([machines().changeIssuer(issuer, change), machines().deleteIssuer(issuer.id)]);
        return Promise.all(change.rules.map(({ id }) => machines().key(key.id, id)));
      });
      for (const found of await Promise.all(rounds)) expect(found).toStrictEqual([null, null]);
    });

    it('changes the rules for exactly one of 20 with the same revision', async () => {
      const key = await keyOf();
      const [stays, goes] = [ruleOf(key), ruleOf(key)];
      const issuer = await trust([stays, goes]);
      await machines().noteUse(stays.id, NOW + 5);
      const changes = Array.from({ length: 20 }, (_, at) => ({
        name: `name ${at}`,
        revision: randomUUID(),
        rules: [ruleOf(key), stays],
      }));
      const changed = await Promise.all(changes.map((each) => machines().changeIssuer(issuer, each)));
      expect(changed.filter(Boolean)).toHaveLength(1);
      const [won] = changes.filter((_, at) => changed[at]);
      if (won === undefined) throw new Error('nobody has won');
      const now = { ...issuer, name: won.name, revision: won.revision };
      expect(await machines().issuer({ id: issuer.id })).toStrictEqual({
        issuer: now,
        rules: placed(now, won.rules).map((rule) =>
          rule.id === stays.id ? { ...rule, last_used_at: NOW + 5 } : rule,
        ),
      });
      expect(await machines().key(key.id, goes.id)).toBeNull();
      expect(await machines().changeIssuer(now, { name: 'none', revision: randomUUID(), rules: [] })).toBe(
        true,
      );
      expect((await machines().issuer({ id: issuer.id }))?.rules).toEqual([]);
    });

    it('deletes an issuer with its rules once', async () => {
      const key = await keyOf();
      const [rule, left] = [ruleOf(key), ruleOf(key)];
      const [issuer, other] = [await trust([rule]), await trust([left])];
      const deleted = await Promise.all(Array.from({ length: 10 }, () => machines().deleteIssuer(issuer.id)));
      expect(deleted.filter(Boolean)).toHaveLength(1);
      expect(await machines().issuer({ id: issuer.id })).toBeNull();
      expect((await machines().issuer({ id: other.id }))?.rules).toHaveLength(1);
    });

    it('notes the latest use of a client and of a rule', async () => {
      const key = await keyOf();
      const [client, rule] = [clientOf(key, { last_used_at: null }), ruleOf(key)];
      await machines().addClient(client, MANY);
      const issuer = await trust([rule]);
      for (const via of [client.client_id, rule.id])
        await Promise.all([5, 9, 1].map((at) => machines().noteUse(via, NOW + at)));
      expect((await machines().client(client.client_id))?.last_used_at).toBe(NOW + 9);
      expect((await machines().issuer({ id: issuer.id }))?.rules[0]?.last_used_at).toBe(NOW + 9);
    });

    it('lets exactly one of 20 use a token of an issuer', async () => {
      const name = `jwt ${hash()}`;
      const uses = await Promise.all(
        Array.from({ length: 20 }, () => store().leases.acquire(name, 'used', NOW, NOW + 60)),
      );
      expect(uses.filter(Boolean)).toHaveLength(1);
    });
  });
}
