// Writes the lines that connect a client. Each takes the gateway's origin and the API key, or null for a client that
// signs in.
const NAME = 'gateway';
const HEADER = 'x-service-api-key';

type Recipe = (origin: string, key: string | null) => string;

export const claudeCode: Recipe = (origin, key) =>
  `claude mcp add --transport http ${NAME} ${mcpAddress(origin)}` +
  (key === null ? '' : ` --header "${HEADER}: ${key}"`);

export const cursorFile: Recipe = (origin, key) =>
  JSON.stringify({ mcpServers: { [NAME]: remote(origin, key) } }, null, 2);

export const cursorLink: Recipe = (origin, key) => {
  const config = encodeURIComponent(btoa(JSON.stringify(remote(origin, key))));
  return `cursor://anysphere.cursor-deeplink/mcp/install?name=${NAME}&config=${config}`;
};

export const vsCodeLine: Recipe = (origin, key) => `code --add-mcp '${vsCodeServer(origin, key)}'`;

export const vsCodeLink: Recipe = (origin, key) =>
  `vscode:mcp/install?${encodeURIComponent(vsCodeServer(origin, key))}`;

export const firstCallCurl = (origin: string, key: string): string =>
  [
    `curl ${origin}/rest/time`,
    `-H '${HEADER}: ${key}'`,
    `-H 'Content-Type: application/json'`,
    `-d '{"tool": "time_now", "args": {"timeZone": "UTC"}}'`,
  ].join(' \\\n  ');

export const listCurl = (origin: string, key: string): string => `curl ${origin}/rest -H '${HEADER}: ${key}'`;

export function mcpAddress(origin: string): string {
  return `${origin}/mcp`;
}

function remote(origin: string, key: string | null): object {
  return { url: mcpAddress(origin), ...(key === null ? {} : { headers: { [HEADER]: key } }) };
}

function vsCodeServer(origin: string, key: string | null): string {
  return JSON.stringify({ name: NAME, type: 'http', ...remote(origin, key) });
}
