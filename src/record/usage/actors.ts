// Names callers: a named key of the person, or a client. reference: Usage
import { agentKeyIdOf, clientActorId, PERSONAL_KEY, SESSION } from '../../kit/actor.ts';
import { shownText } from '../../kit/shown-text.ts';
import type { Ports } from '../../ports/ports.ts';

export interface DescribedActor {
  kind: 'session' | 'key' | 'agent-key' | 'client' | 'other';
  name: string | null;
}

export type DescribeActor = (actor: string) => Promise<DescribedActor>;

const CLIENT = clientActorId('');

export function createDescribeActor({ store }: Pick<Ports, 'store'>, userId: string): DescribeActor {
  async function nameOfKey(id: string): Promise<string | null> {
    const key = id === '' ? null : await store.agentKeys.get(id);
    return key?.user_id === userId ? shownText(key.name) : null;
  }

  return async function describeActor(actor) {
    if (actor === SESSION.id) return { kind: 'session', name: null };
    if (actor === PERSONAL_KEY.id) return { kind: 'key', name: null };
    const keyId = agentKeyIdOf({ id: actor });
    if (keyId !== null) return { kind: 'agent-key', name: await nameOfKey(keyId) };
    if (!actor.startsWith(CLIENT)) return { kind: 'other', name: null };
    const client = await store.clients.get(actor.slice(CLIENT.length));
    return { kind: 'client', name: shownText(client?.client_name ?? null) };
  };
}
