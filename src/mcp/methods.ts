// Implements the methods that both eras share. A reply that never changes is encoded once.
import type { Caller, MetaTool } from '../kit/integration.ts';
import { ErrorText, JsonRpcCode } from '../http/error-codes.ts';
import { isObject } from '../json/json.ts';
import type { Clock } from '../ports/clock.ts';
import type { RequestId, RpcError } from './json-rpc.ts';
import type { Content, Render } from './render.ts';

// The version is a constant. It does not follow releases. reference: Legacy era
export const SERVER_INFO = { name: 'service', version: '0.1.0' };
export const CAPABILITIES = { tools: {} };

export type Reply =
  | { result: Record<string, unknown> }
  | { answer: (id: RequestId) => Uint8Array<ArrayBuffer> }
  | { error: RpcError };
/** A call that has not run yet, so that an era can decide how to wait for it. */
export type ToolCall =
  | { name: string; run: (signal?: AbortSignal) => Promise<Content[]> }
  | { error: RpcError };

export interface Methods {
  toolList(): Record<string, unknown>[];
  call(caller: Caller, params: Record<string, unknown>): ToolCall;
}

export function createMethods(metaTools: readonly MetaTool[], render: Render, clock: Clock): Methods {
  const byName = new Map(metaTools.map((tool) => [tool.name, tool]));

  return {
    toolList: () =>
      metaTools.map(({ name, description, schema }) => ({ name, description, inputSchema: schema })),

    call(caller, params) {
      const { name, arguments: args = {} } = params;
      if (typeof name !== 'string') return invalidArguments('name: the tool to call, a string');
      const tool = byName.get(name);
      if (tool === undefined)
        return {
          error: { code: JsonRpcCode.INVALID_PARAMS, message: `${ErrorText.TOOL_NOT_FOUND}: ${name}` },
        };
      if (!isObject(args)) return invalidArguments('arguments: must be an object');
      const parsed = tool.parse(args);
      if (!parsed.ok) return invalidArguments(parsed.message);
      return {
        name,
        async run(signal) {
          const value = await tool.run(parsed.value, { ...caller, clock, signal });
          return render(caller.userId, value, { lease: caller.lease, signal });
        },
      };
    },
  };
}

function invalidArguments(message: string): { error: RpcError } {
  return {
    error: { code: JsonRpcCode.INVALID_PARAMS, message: `${ErrorText.INVALID_ARGUMENTS}: ${message}` },
  };
}

export function methodNotFound(method: string): { error: RpcError } {
  return { error: { code: JsonRpcCode.METHOD_NOT_FOUND, message: `Method not found: ${method}` } };
}
