// Records one MCP request as a span: its method and the meta-tool it calls. The names are those of the semantic conventions
// for MCP. A trace in `_meta` is the parent before the one in the headers, and the HTTP request becomes a link. SEP-414
import type { Context } from 'hono';
import type { RequestEnv } from '../http/observe.ts';
import type { RequestTrace } from '../http/request-trace.ts';
import { isObject } from '../json/json.ts';
import type { KnownCaller } from '../kit/integration.ts';
import type { Attributes } from '../ports/telemetry.ts';
import { parseTraceContext } from '../egress/trace-context.ts';
import type { Request } from './json-rpc.ts';

/** How the request ended, for its span. */
export interface RequestNotes {
  /** The JSON-RPC code of the refusal, or `tool_error`. */
  error?: string | undefined;
  /** The response is a stream, which ends the span itself. */
  isStream?: boolean;
}

export type McpEnv = { Variables: RequestEnv['Variables'] & { notes?: RequestNotes } };

/** A caller may send any other method, and name any other tool. */
const METHODS = new Set([
  'initialize',
  'ping',
  'server/discover',
  'tools/list',
  'tools/call',
  'tasks/get',
  'tasks/update',
  'tasks/cancel',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'skills/list',
  'skills/get',
  'prompts/list',
  'prompts/get',
  'notifications/initialized',
]);

type AnswerTraced = (
  c: Context<McpEnv>,
  trace: RequestTrace,
  caller: KnownCaller,
  request: Request,
  /** Answers for the caller, who has the span. */
  answer: (caller: KnownCaller) => Response | Promise<Response>,
) => Promise<Response>;

export function createTracedRequest(toolNames: ReadonlySet<string>): AnswerTraced {
  return async function answerTraced(c, trace, caller, request, answer) {
    const meta = isObject(request.params['_meta']) ? request.params['_meta'] : {};
    const named = parseTraceContext(meta['traceparent'], meta['tracestate']);
    const http = trace.admit(named);
    const { name, attributes } = describe(request, toolNames);
    const span = http.start({
      name,
      kind: 'server',
      attributes,
      ...(named === undefined ? {} : { parent: named, link: http.context }),
    });
    const notes: RequestNotes = {};
    c.set('notes', notes);
    try {
      const response = await answer({ ...caller, span });
      if (notes.isStream !== true) span.end({ error: notes.error });
      return response;
    } catch (error) {
      span.end({ error: 'internal_error' });
      throw error;
    }
  };
}

function describe(
  { method, params }: Request,
  toolNames: ReadonlySet<string>,
): { name: string; attributes: Attributes } {
  const label = METHODS.has(method) ? method : '_OTHER';
  if (label !== 'tools/call') return { name: label, attributes: { 'mcp.method.name': label } };
  const { name } = params;
  const tool = typeof name === 'string' && toolNames.has(name) ? name : '_OTHER';
  return {
    name: `${label} ${tool}`,
    attributes: {
      'mcp.method.name': label,
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
    },
  };
}
