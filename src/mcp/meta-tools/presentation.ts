// Says how clients show the nine meta-tools: a title, and hints about what a call can do. MCP 2025-11-25, Tool
interface Presentation {
  title: string;
  annotations: {
    readOnlyHint: boolean;
    destructiveHint?: boolean;
    idempotentHint?: boolean;
    /** Whether a call reaches services outside of the gateway. */
    openWorldHint: boolean;
  };
}

const LOOK_UP = { readOnlyHint: true, openWorldHint: false };
const CONNECT = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true };

const PRESENTATIONS = new Map<string, Presentation>([
  ['list_integrations', { title: 'List integrations', annotations: LOOK_UP }],
  ['search_tools', { title: 'Search tools', annotations: LOOK_UP }],
  ['get_tool_schema', { title: 'Get the schema of a tool', annotations: LOOK_UP }],
  [
    'execute_tools',
    {
      title: 'Run tools',
      // The tools of a call are not known before it.
      annotations: {
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: false,
        openWorldHint: true,
      },
    },
  ],
  ['connect', { title: 'Connect an integration', annotations: CONNECT }],
  ['get_auth_url', { title: 'Connect an integration (deprecated)', annotations: CONNECT }],
  ['wait_for_connection', { title: 'Wait for a connection', annotations: LOOK_UP }],
  [
    'curl_session',
    {
      title: 'Lend connections to curl',
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: false,
        openWorldHint: false,
      },
    },
  ],
  ['read_result', { title: 'Read a cut result', annotations: LOOK_UP }],
]);

export function presentationOf(name: string): Presentation {
  const presentation = PRESENTATIONS.get(name);
  if (presentation === undefined) throw new TypeError(`the meta-tool "${name}" has no presentation`);
  return presentation;
}
