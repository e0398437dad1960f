// Answers the era without a handshake (2026-07-28): every request carries its version, and its headers repeat it. decision: 031
import { ErrorText, JsonRpcCode } from '../http/error-codes.ts';
import { isObject } from '../json/json.ts';
import { APPS_CAPABILITIES, takesAppsNow } from './apps.ts';
import { CAPABILITIES_KEY } from './client-capabilities.ts';
import { fixedResult, type Request, type RpcError } from './json-rpc.ts';
import { type About, CAPABILITIES, methodNotFound, noResource, type Reply } from './methods.ts';

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
/** MCP Tasks extension 2026-07-28 */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';
const SERVER_KEY = 'io.modelcontextprotocol/serverInfo';
const SUPPORTED = ['2026-07-28'];

/** The extension that serves guides. SEP-2640 */
export const SKILLS = 'io.modelcontextprotocol/skills';

type RequestHeaders = { get(name: string): string | null };
type RequestCheck = (request: Request, headers: RequestHeaders) => RpcError | null;

// The header alone does not make a request modern.
export function isModern({ method, params }: Request): boolean {
  const meta = params['_meta'];
  return (
    method === 'server/discover' || (isObject(meta) && (VERSION_KEY in meta || CAPABILITIES_KEY in meta))
  );
}

const metaPresent: RequestCheck = ({ params }) => {
  const meta = isObject(params['_meta']) ? params['_meta'] : {};
  if (typeof meta[VERSION_KEY] !== 'string') return invalidMeta(`_meta["${VERSION_KEY}"] must be a string`);
  if (!isObject(meta[CAPABILITIES_KEY])) return invalidMeta(`_meta["${CAPABILITIES_KEY}"] must be an object`);
  return null;
};

const versionHeaderMatches: RequestCheck = (request, headers) =>
  headerMatches(headers, 'MCP-Protocol-Version', requestedVersion(request));

const versionSupported: RequestCheck = (request) => {
  const requested = requestedVersion(request);
  if (SUPPORTED.includes(requested)) return null;
  return {
    code: JsonRpcCode.UNSUPPORTED_VERSION,
    message: 'Unsupported protocol version',
    data: { supported: SUPPORTED, requested },
  };
};

const methodHeaderMatches: RequestCheck = ({ method }, headers) =>
  headerMatches(headers, 'Mcp-Method', method);

const NAMED_BY = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);

const nameHeaderMatches: RequestCheck = ({ method, params }, headers) => {
  const task = params['taskId'];
  // The header only helps intermediaries to find the process of a task, so a task needs none here.
  if (method.startsWith('tasks/') && headers.get('Mcp-Name') !== null && typeof task === 'string')
    return headerMatches(headers, 'Mcp-Name', task);
  const name = params[NAMED_BY.get(method) ?? ''];
  return typeof name === 'string' ? headerMatches(headers, 'Mcp-Name', name) : null;
};

const CHECKS: readonly RequestCheck[] = [
  metaPresent,
  versionHeaderMatches,
  versionSupported,
  methodHeaderMatches,
  nameHeaderMatches,
];

/** Returns what is wrong with the request, or null. */
export function checkModern(request: Request, headers: RequestHeaders): RpcError | null {
  for (const check of CHECKS) {
    const error = check(request, headers);
    if (error !== null) return error;
  }
  return null;
}

// A server that answers prompts/list and resources/list has to declare them in this era. SEP-2575
const MODERN_CAPABILITIES = { ...CAPABILITIES, resources: {}, prompts: {} };

export type ModernReply = (request: Request) => Reply;

export function createModernReply(about: About): ModernReply {
  const cacheReply = (result: () => Record<string, unknown>, cache = about.cache): Reply => ({
    answer: fixedResult(() => complete(about, { ...result(), ...cache })),
  });
  // What a client that shows apps is told depends on its own request.
  const own = ownCache(about);
  const capabilities = { ...MODERN_CAPABILITIES, ...about.capabilities };
  const discover = cacheReply(() => ({
    supportedVersions: SUPPORTED,
    capabilities: { ...capabilities, extensions: about.extensions },
    instructions: about.instructions,
  }));
  const discoverApps = cacheReply(
    () => ({
      supportedVersions: SUPPORTED,
      capabilities: {
        ...capabilities,
        extensions: { ...about.extensions, ...APPS_CAPABILITIES.extensions },
      },
      instructions: about.instructions,
    }),
    own,
  );
  const tools = cacheReply(() => ({ tools: about.toolList() }));
  const toolsWithApps = cacheReply(() => ({ tools: about.apps.toolList() }), own);
  const ownResources = cacheReply(() => ({ resources: about.apps.resources() }), own);
  const resources = cacheReply(() => ({ resources: [] }));
  const templates = cacheReply(() => ({ resourceTemplates: [] }));
  const prompts = cacheReply(() => ({ prompts: [] }));

  return function reply({ method, params }) {
    const isShown = takesAppsNow(params);
    switch (method) {
      case 'server/discover':
        return isShown ? discoverApps : discover;
      case 'tools/list':
        return isShown ? toolsWithApps : tools;
      case 'resources/list':
        return isShown ? ownResources : resources;
      case 'resources/templates/list':
        return templates;
      case 'prompts/list':
        return prompts;
      case 'resources/read':
        return noResource(params['uri']);
      case 'prompts/get':
        return notThere('Prompt not found', { name: params['name'] });
      default:
        return methodNotFound(method);
    }
  };
}

function notThere(message: string, data: Record<string, unknown>): Reply {
  return { error: { code: JsonRpcCode.INVALID_PARAMS, message, data } };
}

/** How long a client that shows apps may keep what it is told. */
export const ownCache = ({ cache }: Pick<About, 'cache'>): About['cache'] => ({
  ...cache,
  cacheScope: 'private',
});

export function complete(
  { serverInfo }: Pick<About, 'serverInfo'>,
  result: Record<string, unknown>,
): Record<string, unknown> {
  const meta = isObject(result['_meta']) ? result['_meta'] : {};
  return { resultType: 'complete', ...result, _meta: { ...meta, [SERVER_KEY]: serverInfo } };
}

function requestedVersion({ params }: Request): string {
  const meta = params['_meta'];
  return isObject(meta) ? String(meta[VERSION_KEY]) : '';
}

function headerMatches(headers: RequestHeaders, name: string, expected: string): RpcError | null {
  if (decodeHeader(headers.get(name)) === expected) return null;
  return {
    code: JsonRpcCode.HEADER_MISMATCH,
    message: `Header ${name} must be present and say what the body says`,
  };
}

// Decodes values that a header cannot carry: they arrive as =?base64?…?=. SEP-2243
function decodeHeader(value: string | null): string | null {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value ?? '')?.[1];
  if (encoded === undefined) return value;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(
      Uint8Array.from(atob(encoded), (char) => char.charCodeAt(0)),
    );
  } catch {
    return null;
  }
}

function invalidMeta(message: string): RpcError {
  return { code: JsonRpcCode.INVALID_PARAMS, message: `${ErrorText.INVALID_ARGUMENTS}: ${message}` };
}
