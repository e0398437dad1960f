// The door of MCP clients: POST /mcp with nine meta-tools.
import type { Config } from '../config/config.ts';
import { createIsAllowedOrigin } from '../http/origins.ts';
import type { Feature } from '../kit/feature.ts';
import { cardState } from './card/state.ts';
import { createInputRequired } from './input-required.ts';
import { createMetaTools } from './meta-tools/all.ts';
import { createMethods } from './methods.ts';
import { createRender } from './render.ts';
import { createMcpRoutes } from './routes.ts';

type MethodNeeds = Parameters<typeof createMetaTools>[0] & Parameters<typeof createRender>[0];

export const mcpFeature = {
  name: 'mcp',
  parts: {
    inputRequired: createInputRequired,
    isAllowedOrigin: ({ config }: { config: Config }) => createIsAllowedOrigin(config),
    methods: (deps: MethodNeeds) =>
      createMethods(createMetaTools(deps), cardState(deps), createRender(deps), deps.clock),
  },
  routes: { machine: [createMcpRoutes] },
} satisfies Feature;
