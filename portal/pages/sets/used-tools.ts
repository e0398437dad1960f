// Finds the tools that each agent of the person has used in the last seven days.
import { fetchTools } from '../../api/tools.ts';
import { fetchUsage, OTHER } from '../../api/usage.ts';
import { useResource } from '../../state/use-resource.ts';
import { nameOfAgent } from '../activity/agents.ts';

export interface UsedTools {
  actor: string;
  name: string;
  tools: string[];
}

const MAX_AGENTS = 5;
const MAX_TOOLS = 12;
/** Raw requests and tools that are gone are listed too, and leave room for the others. */
const MAX_LISTED = 30;
const KINDS = new Set(['key', 'agent-key', 'client']);

async function fetchUsed(): Promise<UsedTools[]> {
  const [{ agents }, tools] = await Promise.all([fetchUsage('7d', undefined), fetchTools()]);
  const known = new Set(tools.map(({ name }) => name));
  const chosen = agents.filter(({ kind }) => KINDS.has(kind)).slice(0, MAX_AGENTS);
  const used = await Promise.all(
    chosen.map(async ({ actor, name }) => {
      const usage = await fetchUsage('7d', undefined, { actor, limit: MAX_LISTED });
      return {
        actor,
        name: nameOfAgent({ actor, client_name: name }, false),
        tools: usage.tools
          .flatMap(({ tool }) => (tool !== OTHER && known.has(tool) ? tool : []))
          .slice(0, MAX_TOOLS),
      };
    }),
  );
  return used.filter(({ tools: names }) => names.length > 0);
}

export function useUsedTools(): readonly UsedTools[] {
  return useResource('used tools', fetchUsed).data ?? [];
}
