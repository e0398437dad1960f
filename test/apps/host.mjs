// A host of MCP Apps in a page, built on the official package. A test drives it as `window.host`.
import {
  AppBridge,
  getToolUiResourceUri,
  isToolVisibilityAppOnly,
  isToolVisibilityModelOnly,
  PostMessageTransport,
  RESOURCE_MIME_TYPE,
} from '@modelcontextprotocol/ext-apps/app-bridge';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const INFO = { name: 'test-host', version: '1.0.0' };
const EXTENSIONS = { 'io.modelcontextprotocol/ui': { mimeTypes: [RESOURCE_MIME_TYPE] } };

let client;
let tools = new Map();

/** Connects to an address, and returns the tools that a model would be shown. */
async function connect({ address, headers, mode }) {
  client = new Client(INFO, {
    capabilities: { extensions: EXTENSIONS },
    versionNegotiation: { mode },
  });
  await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers } }));
  const listed = await client.listTools();
  tools = new Map(listed.tools.map((tool) => [tool.name, tool]));
  return {
    version: client.getNegotiatedProtocolVersion(),
    forModel: listed.tools.filter((tool) => !isToolVisibilityAppOnly(tool)).map(({ name }) => name),
  };
}

/** Calls a tool as a model does, and shows its page with the result. */
async function show({ name, args = {}, sandbox, theme = 'light', opensLinks = true, callsTools = true }) {
  const tool = tools.get(name);
  const uri = getToolUiResourceUri(tool);
  const { contents } = await client.readResource({ uri });
  const [{ mimeType, text, _meta }] = contents;
  if (mimeType !== RESOURCE_MIME_TYPE) throw new Error(`unexpected type ${mimeType}`);
  const { csp = {}, permissions } = _meta?.ui ?? {};
  const iframe = await openSandbox(sandbox, csp);
  const bridge = new AppBridge(
    // With a client the bridge would pass on every call by itself.
    null,
    INFO,
    { ...(opensLinks ? { openLinks: {} } : {}), ...(callsTools ? { serverTools: {} } : {}), logging: {} },
    { hostContext: { theme, toolInfo: { tool }, platform: 'web' } },
  );
  // A host must refuse what is not open to pages.
  bridge.oncalltool = async (params) => {
    const called = tools.get(params.name);
    window.host.calls.push(params.name);
    if (called === undefined || isToolVisibilityModelOnly(called)) {
      window.host.refused.push(params.name);
      throw new Error(`${params.name} is not open to pages`);
    }
    return client.callTool({ name: params.name, arguments: params.arguments });
  };
  bridge.onopenlink = async ({ url }) => {
    window.host.links.push(url);
    return {};
  };
  bridge.onsizechange = ({ height }) => {
    if (height !== undefined) iframe.style.height = `${height}px`;
  };
  const initialized = new Promise((resolve) => {
    bridge.oninitialized = resolve;
  });
  await bridge.connect(new PostMessageTransport(iframe.contentWindow, iframe.contentWindow));
  await bridge.sendSandboxResourceReady({ html: text, csp, permissions });
  await initialized;
  await bridge.sendToolInput({ arguments: args });
  const result = await client.callTool({ name, arguments: args });
  await bridge.sendToolResult(result);
  window.host.bridge = bridge;
  return { csp, text: result.content.find(({ type }) => type === 'text')?.text };
}

/** The page runs in a frame of another origin, whose headers hold its policy. */
function openSandbox(sandbox, csp) {
  document.querySelector('iframe')?.remove();
  const iframe = document.createElement('iframe');
  iframe.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-forms');
  iframe.title = 'App';
  const address = new URL(sandbox);
  address.searchParams.set('csp', JSON.stringify(csp));
  iframe.src = address.href;
  document.body.append(iframe);
  return new Promise((resolve) => {
    addEventListener('message', function ready({ source, data }) {
      if (source !== iframe.contentWindow || data?.method !== 'ui/notifications/sandbox-proxy-ready') return;
      removeEventListener('message', ready);
      resolve(iframe);
    });
  });
}

window.host = { calls: [], links: [], refused: [], connect, show };
