// Says in a few lines how an agent or a script uses the gateway. https://llmstxt.org
import { API_KEY_HEADER } from '../../http/presented-key.ts';
import type { Place } from './document.ts';

export const llmsText = ({ SERVER_PUBLIC_URL: base }: Place): string => `# Tool gateway

> Runs tools of third-party services with a person's own connections. The person keeps the credentials; you never see them.

- Credential: the header \`${API_KEY_HEADER}: <API key>\` (a person makes it in the portal, ${base}), or an OAuth access token as \`Authorization: Bearer\`. MCP clients can register and sign in by themselves.

## Agents
- MCP address (streamable HTTP): ${base}/mcp
- Always nine tools. Find a tool with \`search_tools\` (one sentence, limit 5: each hit has a signature; \`get_tool_schema\` has more), run one or many with \`execute_tools\`.
- Keep results small: \`select\` (JMESPath) beside \`tool\` and \`args\` picks fields, \`maxChars\` bounds the text. \`read_result\` reads the rest of a long result.
- A set has chosen tools only, face to face: ${base}/mcp/sets/<name>. GET ${base}/api/sets lists them.
- NOT_CONNECTED: call \`connect\`, give the person the address, then \`wait_for_connection\`.
- \`curl_session\` gives a token for git, curl and SDKs at ${base}/c/<integration>/<path>.

## Scripts
- List: \`curl -H '${API_KEY_HEADER}: KEY' ${base}/rest\`, then \`${base}/rest/<integration>\` for its tools.
- Run: \`curl ${base}/rest/time/time_now -H '${API_KEY_HEADER}: KEY' -H 'content-type: application/json' -d '{"timeZone":"Europe/Berlin"}'\`
- Batch: POST ${base}/rest/<integration> with \`{"executions": [{"tool": "…", "args": {}}]}\`

## More
- Files: bytes do not go through a model. Tools take and return handles (\`file:<handle>\`), and bytes travel at ${base}/f/.
- Jots: \`deploy_jot\` publishes files as a page at ${base}/j/<name>/.
- OpenAPI: ${base}/openapi.json (REST and the portal API), ${base}/rest/<integration>/openapi.json (an operation for each tool)
`;
