// Answers the eras that begin with `initialize` (2025-06-18, 2025-11-25 and any other that a client names). decision: 031
import { APPS_CAPABILITIES, takesApps } from './apps.ts';
import { CARD_URI } from './card/names.ts';
import { CARD_RESOURCE, readCard } from './card/page.ts';
import { fixedResult, type Request } from './json-rpc.ts';
import {
  CAPABILITIES,
  INSTRUCTIONS,
  methodNotFound,
  noResource,
  type Methods,
  type Reply,
  SERVER_INFO,
} from './methods.ts';

const DEFAULT_VERSION = '2025-06-18';

/** Returns null when the message wants no answer. */
export type LegacyReply = (request: Request, showsApps: boolean) => Reply | null;

/** Answers every method except tools/call, which is asynchronous. */
export function createLegacyReply(methods: Methods): LegacyReply {
  const tools = { answer: fixedResult(() => ({ tools: methods.toolList(false) })) };
  const toolsWithApps = { answer: fixedResult(() => ({ tools: methods.toolList(true) })) };
  const card = { answer: fixedResult(readCard) };

  return function reply({ method, params }, showsApps) {
    switch (method) {
      case 'initialize': {
        const asked = params['protocolVersion'];
        const protocolVersion = typeof asked === 'string' ? asked : DEFAULT_VERSION;
        return {
          result: {
            protocolVersion,
            capabilities: takesApps(params['capabilities'])
              ? { ...CAPABILITIES, ...APPS_CAPABILITIES }
              : CAPABILITIES,
            serverInfo: SERVER_INFO,
            instructions: INSTRUCTIONS,
          },
        };
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
        return { result: { resources: showsApps ? [CARD_RESOURCE] : [] } };
      case 'resources/read':
        if (!showsApps) return methodNotFound(method);
        return params['uri'] === CARD_URI ? card : noResource(params['uri']);
      case 'prompts/list':
        return { result: { prompts: [] } };
      default:
        return methodNotFound(method);
    }
  };
}
