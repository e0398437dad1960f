// The lines that connect a client. Each takes the gateway's origin and an API key.
const NAME = 'gateway';
const HEADER = 'x-service-api-key';

type Recipe = (origin: string, key: string) => string;

export const claudeCode: Recipe = (origin, key) =>
  `claude mcp add --transport http ${NAME} ${mcpAddress(origin)} --header "${HEADER}: ${key}"`;

export const cursorFile: Recipe = (origin, key) =>
  JSON.stringify({ mcpServers: { [NAME]: remote(origin, key) } }, null, 2);

export const cursorLink: Recipe = (origin, key) => {
  const config = encodeURIComponent(btoa(JSON.stringify(remote(origin, key))));
  return `cursor://anysphere.cursor-deeplink/mcp/install?name=${NAME}&config=${config}`;
};

export const vsCodeLine: Recipe = (origin, key) => `code --add-mcp '${vsCodeServer(origin, key)}'`;

export const vsCodeLink: Recipe = (origin, key) =>
  `vscode:mcp/install?${encodeURIComponent(vsCodeServer(origin, key))}`;

export const firstCallCurl: Recipe = (origin, key) =>
  [
    `curl ${origin}/rest/time`,
    `-H '${HEADER}: ${key}'`,
    `-H 'Content-Type: application/json'`,
    `-d '{"tool": "time_now", "args": {"timeZone": "UTC"}}'`,
  ].join(' \\\n  ');

export const listCurl: Recipe = (origin, key) => `curl ${origin}/rest -H '${HEADER}: ${key}'`;

export function mcpAddress(origin: string): string {
  return `${origin}/mcp`;
}

function remote(origin: string, key: string): object {
  return { url: mcpAddress(origin), headers: { [HEADER]: key } };
}

function vsCodeServer(origin: string, key: string): string {
  return JSON.stringify({ name: NAME, type: 'http', ...remote(origin, key) });
}
