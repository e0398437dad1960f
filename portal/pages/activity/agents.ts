// Names the agents that call: the portal, keys and clients.
import { fetchNamedKeys } from '../../api/agent-keys.ts';
import { fetchAgents } from '../../api/agents.ts';
import type { AuditEntry } from '../../api/audit.ts';
import { plainName } from '../../parts/plain-name.ts';
import { useResource } from '../../state/use-resource.ts';
import { texts } from '../../texts/texts.ts';

const words = texts.activity.agents;
const SESSION = 'session';
const KEY = 'key';

export function nameOfAgent(
  { actor, client_name }: Pick<AuditEntry, 'actor'> & Partial<Pick<AuditEntry, 'client_name'>>,
  ofAll: boolean,
): string {
  if (actor === SESSION) return ofAll ? words.portal : words.session;
  if (actor === KEY) return ofAll ? words.personalKey : words.key;
  const name = plainName(client_name ?? '');
  if (name !== '') return name;
  if (actor?.startsWith('key:')) return words.unnamedKey;
  return actor?.startsWith('client:') ? words.unnamedClient : '';
}

/** Lists the agents to choose from: the person's own, and those of the calls on the page. */
export function useAgentChoices(
  ofAll: boolean,
  entries: readonly AuditEntry[],
  chosen: string,
): readonly { value: string; label: string }[] {
  const { data: agents = [] } = useResource('agents', fetchAgents);
  const { data: keys = [] } = useResource('named keys', fetchNamedKeys);
  const known = new Map<string, string>([
    [SESSION, nameOfAgent({ actor: SESSION }, ofAll)],
    [KEY, nameOfAgent({ actor: KEY }, ofAll)],
  ]);
  const add = (actor: string, client_name: string | null | undefined) => {
    if (!known.has(actor)) known.set(actor, nameOfAgent({ actor, client_name: client_name ?? null }, ofAll));
  };
  if (!ofAll) {
    for (const { id, name } of keys) add(`key:${id}`, name);
    for (const { client_id, client_name } of agents) add(`client:${client_id}`, client_name);
  }
  for (const { actor, client_name } of entries) if (actor) add(actor, client_name);
  if (chosen !== '' && !known.has(chosen)) known.set(chosen, words.unnamed);
  return [...known].map(([value, label]) => ({ value, label: label === '' ? words.unnamed : label }));
}
