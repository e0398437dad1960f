// The door of MCP clients: POST /mcp with nine meta-tools, and an address for each set.
import type { Config } from '../config/config.ts';
import { createIsAllowedOrigin } from '../http/origins.ts';
import type { Feature } from '../kit/feature.ts';
import type { McpMethods } from '../kit/mcp-methods.ts';
import { CARD_URI } from './card/names.ts';
import { CARD_RESOURCE, readCard } from './card/page.ts';
import { cardState } from './card/state.ts';
import { createInputRequired } from './input-required.ts';
import { createRunLong } from './long-calls.ts';
import { createMetaTools } from './meta-tools/all.ts';
import { EXECUTE_TOOLS } from './meta-tools/execute-tools.ts';
import { createMethods, INSTRUCTIONS, type Methods, SERVER_INFO } from './methods.ts';
import { createRender, type Render } from './render.ts';
import { complete, SKILLS, TASKS_EXTENSION } from './modern.ts';
import { createMcpRoutes } from './routes.ts';
import { createReplyAboutSkills, type ReplyAboutSkills } from './skills.ts';
import { createTaskMethods } from './task-methods.ts';
import { createReplies, type Served } from './served.ts';
import { createCallSetTool } from './set-call.ts';
import { createSetRelay } from './set-relay.ts';
import { createOpenSet } from './set-server.ts';

type MethodNeeds = Parameters<typeof createMetaTools>[0];

interface ServedNeeds {
  /** Null when their preview is off. */
  eventMethods: McpMethods | null;
  methods: Methods;
  render: Render;
  replyAboutSkills: ReplyAboutSkills;
}

// The nine tools are the same for every user and change only with a release.
const PUBLIC = { ttlMs: 300_000, cacheScope: 'public' } as const;

export const mcpFeature = {
  name: 'mcp',
  parts: {
    inputRequired: createInputRequired,
    replyAboutSkills: createReplyAboutSkills,
    isAllowedOrigin: ({ config }: { config: Config }) => createIsAllowedOrigin(config),
    methods: (deps: MethodNeeds & { render: Render }) =>
      createMethods(createMetaTools(deps), cardState(deps), deps.render, deps.clock),
    render: createRender,
    served: ({ eventMethods, methods, render, replyAboutSkills }: ServedNeeds): Served => ({
      ...createReplies({
        serverInfo: SERVER_INFO,
        instructions: INSTRUCTIONS,
        cache: PUBLIC,
        toolList: methods.toolList,
        apps: { toolList: methods.appsToolList, resources: () => [CARD_RESOURCE] },
        extensions: { [SKILLS]: {}, [TASKS_EXTENSION]: {}, ...eventMethods?.extensions },
        capabilities: eventMethods?.capabilities,
      }),
      call: methods.call,
      replyMore: async (caller, request) => {
        const events = await eventMethods?.answer(caller, request.method, request.params);
        if (events === undefined || events === null) return replyAboutSkills(caller, request);
        return 'error' in events ? events : { result: complete({ serverInfo: SERVER_INFO }, events.result) };
      },
      showOutcome: async (caller, { value, maxChars, tools }) => {
        const { lease, signal } = caller;
        return render(caller, value, { lease, signal, maxChars, tools: () => tools });
      },
      readPage: async (_caller, uri) => (uri === CARD_URI ? readCard() : null),
      mayAsk: (name) => name === EXECUTE_TOOLS,
    }),
    callSetTool: createCallSetTool,
    openSet: createOpenSet,
    setRelay: createSetRelay,
    runLong: createRunLong,
    taskMethods: createTaskMethods,
  },
  routes: { machine: [createMcpRoutes] },
} satisfies Feature;
