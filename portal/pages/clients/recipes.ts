// Writes the lines that connect a client. Each takes the gateway's origin and the API key, or null for a client that
// signs in. With a set they connect to the address of the set.
const NAME = 'gateway';
const HEADER = 'x-service-api-key';

type Recipe = (origin: string, key: string | null, set?: string) => string;

export const claudeCode: Recipe = (origin, key, set) =>
  `claude mcp add --transport http ${nameOf(set)} ${mcpAddress(origin, key, set)}` +
  (key === null ? '' : ` --header "${HEADER}: ${key}"`);

export const cursorFile: Recipe = (origin, key, set) =>
  JSON.stringify({ mcpServers: { [nameOf(set)]: remote(origin, key, set) } }, null, 2);

export const cursorLink: Recipe = (origin, key, set) => {
  const config = encodeURIComponent(btoa(JSON.stringify(remote(origin, key, set))));
  return `cursor://anysphere.cursor-deeplink/mcp/install?name=${nameOf(set)}&config=${config}`;
};

export const vsCodeLine: Recipe = (origin, key, set) => `code --add-mcp '${vsCodeServer(origin, key, set)}'`;

export const vsCodeLink: Recipe = (origin, key, set) =>
  `vscode:mcp/install?${encodeURIComponent(vsCodeServer(origin, key, set))}`;

export const codexFile: Recipe = (origin, key, set) =>
  [`[mcp_servers.${nameOf(set)}]`, `url = "${mcpAddress(origin, key, set)}"`]
    .concat(key === null ? [] : [`http_headers = { "${HEADER}" = "${key}" }`])
    .join('\n');

export const windsurfFile: Recipe = (origin, key, set) =>
  JSON.stringify(
    {
      mcpServers: {
        [nameOf(set)]: { serverUrl: mcpAddress(origin, key, set), ...headersOf(key) },
      },
    },
    null,
    2,
  );

export const zedFile: Recipe = (origin, key, set) =>
  JSON.stringify({ context_servers: { [nameOf(set)]: remote(origin, key, set) } }, null, 2);

export const geminiLine: Recipe = (origin, key, set) =>
  `gemini mcp add --transport http ${nameOf(set)} ${mcpAddress(origin, key, set)}` +
  (key === null ? '' : ` --header "${HEADER}: ${key}"`);

/** The fields of the node "MCP Client Tool". */
export const n8nFields: Recipe = (origin, key, set) =>
  [`Endpoint: ${mcpAddress(origin, key, set)}`]
    .concat(key === null ? [] : ['Authentication: Header Auth', `Name: ${HEADER}`, `Value: ${key}`])
    .join('\n');

export const pythonScript = (origin: string, key: string): string =>
  [
    'import json, urllib.request',
    '',
    `request = urllib.request.Request("${origin}/rest/time",`,
    `    headers={"${HEADER}": "${key}", "Content-Type": "application/json"},`,
    '    data=json.dumps({"tool": "time_now", "args": {"timeZone": "UTC"}}).encode())',
    'print(urllib.request.urlopen(request).read().decode())',
  ].join('\n');

export const firstCallCurl = (origin: string, key: string): string =>
  [
    `curl ${origin}/rest/time`,
    `-H '${HEADER}: ${key}'`,
    `-H 'Content-Type: application/json'`,
    `-d '{"tool": "time_now", "args": {"timeZone": "UTC"}}'`,
  ].join(' \\\n  ');

export const listCurl = (origin: string, key: string, set?: string): string =>
  set === undefined ? `curl ${origin}/rest -H '${HEADER}: ${key}'` : descriptionCurl(origin, key, set);

export const functionsCurl = (origin: string, key: string, set = ''): string =>
  `curl '${origin}/api/sets/${set}/functions?for=openai' -H '${HEADER}: ${key}'`;

export const descriptionCurl = (origin: string, key: string, set = ''): string =>
  `curl ${origin}/sets/${set}/openapi.json -H '${HEADER}: ${key}'`;

export function mcpAddress(origin: string, _key?: string | null, set?: string): string {
  return set === undefined ? `${origin}/mcp` : `${origin}/mcp/sets/${set}`;
}

const nameOf = (set: string | undefined): string => set ?? NAME;

function remote(origin: string, key: string | null, set: string | undefined): object {
  return { url: mcpAddress(origin, key, set), ...headersOf(key) };
}

const headersOf = (key: string | null): object => (key === null ? {} : { headers: { [HEADER]: key } });

function vsCodeServer(origin: string, key: string | null, set: string | undefined): string {
  return JSON.stringify({ name: nameOf(set), type: 'http', ...remote(origin, key, set) });
}
