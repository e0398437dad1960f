// The eras that begin with `initialize` (2025-06-18, 2025-11-25 and any other that a client names). design: M4
import { fixedResult, type Request } from './json-rpc.ts';
import { CAPABILITIES, methodNotFound, type Methods, type Reply, SERVER_INFO } from './methods.ts';

const DEFAULT_VERSION = '2025-06-18';

/** Null where there is nothing to say. */
export type LegacyReply = (request: Request) => Reply | null;

/** Everything but tools/call, which takes its time. */
export function createLegacyReply(methods: Methods): LegacyReply {
  const tools = { answer: fixedResult(() => ({ tools: methods.toolList() })) };

  return function reply({ method, params }) {
    switch (method) {
      case 'initialize': {
        const asked = params['protocolVersion'];
        const protocolVersion = typeof asked === 'string' ? asked : DEFAULT_VERSION;
        return { result: { protocolVersion, capabilities: CAPABILITIES, serverInfo: SERVER_INFO } };
      }
      // Notifications, which some clients send with an id all the same. spec: MCP
      case 'notifications/initialized':
      case 'initialized':
        return null;
      case 'ping':
        return { result: {} };
      case 'tools/list':
        return tools;
      case 'resources/list':
        return { result: { resources: [] } };
      case 'prompts/list':
        return { result: { prompts: [] } };
      default:
        return methodNotFound(method);
    }
  };
}
