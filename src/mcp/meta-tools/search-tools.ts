// Implements search_tools: the specification's literal search, and ranked hits with a limit. decision: 033
import * as z from 'zod';
import { SEARCH_MAX_HITS } from '../../search/limits.ts';
import { ErrorText } from '../../http/error-codes.ts';
import { type MetaTool, tool } from '../../kit/integration.ts';
import { approvalOf } from '../../policy/model/visibility.ts';
import type { Hit } from '../../search/blend.ts';
import { mapOf } from '../../search/integration-map.ts';
import { withNearest } from '../../search/nearest.ts';
import { signatureOf } from '../../search/signature.ts';
import { summaryOf } from '../../search/summary.ts';
import type { Toolbox } from '../../search/toolbox.ts';
import type { MetaNeeds } from './context.ts';

type Needs = Pick<MetaNeeds, 'connected' | 'toolboxOf' | 'visibility'>;

export function searchTools({ connected, toolboxOf, visibility }: Needs): MetaTool {
  return tool(
    'search_tools',
    'Find tools. Say in one sentence what you want to do, in any language, with limit 5: the best hits come with their signature, access (read, write or destroy) and whether they are connected. Without limit, query is a literal part of a name or description.',
    () => ({
      query: z.string().describe('Such as "send an email with a file"'),
      limit: z.int().positive().max(SEARCH_MAX_HITS).optional().describe('Rank, and show so many'),
      integration: z.string().optional().describe('Only its tools; a name from list_integrations'),
    }),
    async ({ query, limit, integration }, caller) => {
      const { userId } = caller;
      const toolbox = await toolboxOf(caller, { words: limit !== undefined });
      const { nearest, registry, search } = toolbox;
      if (integration !== undefined && registry.integration(integration) === null)
        return (
          (await visibility.refusal(caller, integration)) ??
          withNearest({ error: ErrorText.INTEGRATION_NOT_FOUND }, nearest.integrations(integration))
        );
      if (limit === undefined) {
        const tools = search.literal(query, integration);
        if (tools.length > 0) return { tools };
        const live = await connected.all(userId, registry.integrations);
        const suggestions = search.suggest(query, live, integration);
        return suggestions.length > 0
          ? { tools, suggestions, message: SEE_SUGGESTIONS }
          : { tools, message: whatNext(registry, integration) };
      }
      const live = await connected.all(userId, registry.integrations);
      const found = search.find(query, { limit, connected: live, integration });
      const map =
        integration === undefined && query.trim() !== ''
          ? mapOf(registry.integrations, found, live, (each) => registry.toolsOf(each).length)
          : [];
      const integrations = map.length === 0 ? {} : { integrations: map };
      const [best] = found.hits;
      if (best === undefined) return { tools: [], ...integrations, message: whatNext(registry, integration) };
      return {
        tools: found.hits.map((hit) => describe(toolbox, hit, live)),
        ...integrations,
        ...(best.isWeak && map.length > 0 && { message: SEE_MAP }),
      };
    },
  );

  // Only the schemas of the hits are built.
  function describe(
    { registry, permissions }: Toolbox,
    { tool: { name, description, integration }, isWeak }: Hit,
    live: ReadonlySet<string>,
  ) {
    const registered = registry.tool(name);
    return {
      name,
      description: summaryOf(description),
      integration,
      connected: live.has(integration),
      ...(isWeak && { weak: true }),
      ...(registered && {
        access: registered.tool.access,
        signature: signatureOf(name, registered.tool.schema),
        ...approvalOf(permissions, registered),
      }),
    };
  }

  function whatNext(registry: Toolbox['registry'], integration: string | undefined): string {
    if (integration !== undefined)
      return `Nothing in ${integration} matches. An empty query with a limit lists its tools; without integration, all are searched.`;
    const web = registry.tool('web_fetch') === null ? '' : ' web_fetch reads any public page.';
    return `Nothing matches. Say in other words what to do and with which service; list_integrations shows the services.${web}`;
  }
}

const SEE_SUGGESTIONS =
  'No tool contains this text; suggestions are near. A sentence with limit ranks tools and shows their signatures.';
const SEE_MAP =
  'These hits share few words with the query. If none of them fits, search again with integration: one of integrations.';
