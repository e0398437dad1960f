// Tests that a set has an address of its own, and binds a key, on every runtime. reference: Sets
import { expect, it } from 'vitest';
import { callSet, listSet, makeSet, setRpc } from '../../support/sets.ts';
import type { Subject } from '../app-contract.ts';

export function setSentences(at: () => Subject): void {
  it('lists and runs its tools for its person, and is nobody else’s', async () => {
    const { gateway, world } = at();
    const [cleo, dan] = [await world.person(gateway, 'cleo'), await world.person(gateway, 'dan')];
    await makeSet(gateway, { sessionHeader: cleo.session }, 'clock', ['time_now']);
    const names = (await listSet(gateway, cleo.key, 'clock')).map(({ name }) => name);
    expect(names).toEqual(['time_now', 'read_result']);
    const { content } = await callSet(gateway, cleo.key, 'clock', 'time_now', { timeZone: 'Europe/Berlin' });
    expect(JSON.stringify(content)).toContain('Europe/Berlin');
    expect((await setRpc(gateway, dan.key, 'clock', 'tools/list')).status).toBe(404);
    expect((await setRpc(gateway, {}, 'clock', 'tools/list')).status).toBe(401);
    const made = await gateway.request('/api/agent-keys', {
      method: 'POST',
      headers: { ...cleo.session, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Clock', set: 'clock' }),
    });
    const { key } = await made.json();
    const run = async (tool: string) => {
      const response = await gateway.request(`/rest/time/${tool}`, {
        method: 'POST',
        headers: { 'x-service-api-key': key, 'content-type': 'application/json' },
        body: '{}',
      });
      return response.status;
    };
    expect([await run('time_now'), await run('time_convert')]).toEqual([200, 403]);
  });
}
