// The door of MCP clients: POST /mcp with nine meta-tools.
import type { Config } from '../config/config.ts';
import { createIsAllowedOrigin } from '../http/origins.ts';
import type { Feature } from '../kit/feature.ts';
import { createInputRequired } from './input-required.ts';
import { createRunLong } from './long-calls.ts';
import { createMetaTools } from './meta-tools/all.ts';
import { createMethods } from './methods.ts';
import { createRender } from './render.ts';
import { createMcpRoutes } from './routes.ts';
import { createReplyAboutSkills } from './skills.ts';
import { createTaskMethods } from './task-methods.ts';
import type { CallTasks } from './tasks/tasks.ts';

type TaskNeeds = Parameters<typeof createRender>[0] & {
  callTasks: CallTasks;
  isIsolated?: boolean | undefined;
};
type MethodNeeds = Parameters<typeof createMetaTools>[0] & Parameters<typeof createRender>[0];

export const mcpFeature = {
  name: 'mcp',
  parts: {
    inputRequired: createInputRequired,
    replyAboutSkills: createReplyAboutSkills,
    isAllowedOrigin: ({ config }: { config: Config }) => createIsAllowedOrigin(config),
    methods: (deps: MethodNeeds) => createMethods(createMetaTools(deps), createRender(deps), deps.clock),
    runLong: createRunLong,
    taskMethods: (deps: TaskNeeds) =>
      createTaskMethods({
        callTasks: deps.callTasks,
        isIsolated: deps.isIsolated,
        render: createRender(deps),
      }),
  },
  routes: { machine: [createMcpRoutes] },
} satisfies Feature;
