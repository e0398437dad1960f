// Lists the names of the gateway's own tools, which execute_tools does not run. decision: 031

export const META_TOOL_NAMES: readonly string[] = [
  'list_integrations',
  'search_tools',
  'get_tool_schema',
  'execute_tools',
  'connect',
  'get_auth_url',
  'wait_for_connection',
  'curl_session',
  'read_result',
];
