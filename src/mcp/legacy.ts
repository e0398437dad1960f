// Answers the eras that begin with `initialize` (2025-06-18, 2025-11-25 and any other that a client names). decision: 031
import { APPS_CAPABILITIES, takesApps } from './apps.ts';
import { fixedResult, type Request } from './json-rpc.ts';
import { type About, CAPABILITIES, methodNotFound, type Reply } from './methods.ts';

const DEFAULT_VERSION = '2025-06-18';

/** Returns null when the message wants no answer. */
export type LegacyReply = (request: Request, showsApps: boolean) => Reply | null;

/** Answers every method except tools/call and the reading of pages, which are asynchronous. */
export function createLegacyReply({ apps, instructions, offers, serverInfo, toolList }: About): LegacyReply {
  const tools = { answer: fixedResult(() => ({ tools: toolList() })) };
  const toolsWithApps = { answer: fixedResult(() => ({ tools: apps.toolList() })) };

  return function reply({ method, params }, showsApps) {
    switch (method) {
      case 'initialize': {
        const asked = params['protocolVersion'];
        const protocolVersion = typeof asked === 'string' ? asked : DEFAULT_VERSION;
        const own = { ...CAPABILITIES, ...offers };
        const capabilities = takesApps(params['capabilities']) ? { ...own, ...APPS_CAPABILITIES } : own;
        return { result: { protocolVersion, capabilities, serverInfo, instructions } };
      }
      // Some clients send these notifications with an id. reference: MCP endpoint
      case 'notifications/initialized':
      case 'initialized':
        return null;
      case 'ping':
        return { result: {} };
      case 'tools/list':
        return showsApps ? toolsWithApps : tools;
      case 'resources/list':
        return { result: { resources: showsApps ? apps.resources() : [] } };
      case 'prompts/list':
        return { result: { prompts: [] } };
      default:
        return methodNotFound(method);
    }
  };
}
