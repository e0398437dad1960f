// Serves /rest: the same engine without JSON-RPC framing and without the size cap. reference: REST
import { type Context, Hono } from 'hono';
import { sendWhileAllowed } from '../auth/ending-stream.ts';
import type { RunningWork, Work } from '../auth/running-work.ts';
import { howToSend, type ReadLargeBody } from '../http/request-body.ts';
import type { Connected } from '../connections/model/connected.ts';
import type { Ports } from '../ports/ports.ts';
import type { Registries } from '../kit/registries.ts';
import { ErrorText } from '../http/error-codes.ts';
import { KEY_HEADER, REPLAYED_HEADER } from '../http/repeat-headers.ts';
import { accessEnded, HttpError } from '../http/errors.ts';
import type { SendJson } from '../http/large-json.ts';
import type { Identify, Identity } from '../kit/actor.ts';
import { type Integration, type KnownCaller, titleOf } from '../kit/integration.ts';
import type { RequestEnv } from '../http/observe.ts';
import { writeJson } from '../json/exact-integers.ts';
import { truncate } from '../json/truncate.ts';
import { parseTools } from '../kit/set-tools.ts';
import { approvalOf, type Visibility } from '../policy/model/visibility.ts';
import type { Execute } from '../calls/execute.ts';
import { type ExecutionResult, toExecutionResult } from '../calls/execution-result.ts';
import type { Outcome } from '../calls/outcome.ts';
import { nearestForBatch, type ToolboxOf } from '../search/toolbox.ts';
import { inPool, TOO_MUCH } from '../calls/pool.ts';
import type { ToolSets } from '../sets/model/tool-sets.ts';
import { answerTo } from './answer.ts';
import { readBody, readKey, readObject, type Requested, type RestBody } from './body.ts';
import type { BatchAnswer, CallAnswer, RestIntegration, RestList } from './operations.ts';
import { createRequire } from './require.ts';

// A shared cache does not know that an API key makes an answer private.
const NO_STORE = { 'Cache-Control': 'no-store' };

type Needs = Pick<Ports, 'config' | 'texts'> & {
  connected: Connected;
  readLargeBody: ReadLargeBody;
  runningWork: RunningWork;
  registries: Registries;
  identify: Identify;
  execute: Execute;
  toolboxOf: ToolboxOf;
  visibility: Visibility;
  sendJson: SendJson;
  toolSets: ToolSets;
};

export function createRestRoutes({
  config,
  connected,
  readLargeBody,
  registries,
  identify,
  execute,
  toolboxOf,
  runningWork,
  visibility,
  sendJson,
  texts,
  toolSets,
}: Needs): Hono<RequestEnv> {
  const needs = { config, registries, identify, toolboxOf, toolSets, visibility };
  const { requireCaller, requireIntegration, requireSet, requireTools } = createRequire(needs);

  async function listAll(c: Context<RequestEnv>): Promise<Response> {
    const caller = await requireCaller(c);
    const registry = await visibility.of(caller);
    const live = await connected.all(caller.userId, registry.integrations);
    const integrations = registry.integrations.map((integration) => ({
      name: integration.name,
      displayName: titleOf(integration),
      authType: integration.auth.type,
      connected: live.has(integration.name),
      toolCount: registry.toolsOf(integration).length,
      url: `/rest/${integration.name}`,
    }));
    return c.json({ integrations } satisfies RestList, 200, NO_STORE);
  }

  const app = new Hono<RequestEnv>();
  app.get('/rest', listAll);
  app.get('/rest/', listAll);

  app.get('/rest/:integration', async (c) => {
    const caller = await requireCaller(c);
    const integration = await requireIntegration(caller, c.req.param('integration'));
    const { tools: visible, permissions } = await requireTools(caller, integration);
    await texts.of(integration.name);
    const tools = visible.map((tool) => ({
      name: tool.name,
      description: tool.description,
      inputSchema: tool.schema,
      ...approvalOf(permissions, { tool, integration }),
    }));
    const live = await connected.one(caller.userId, integration);
    const described: RestIntegration = { integration: integration.name, connected: live, tools };
    return c.json(described, 200, NO_STORE);
  });

  app.post('/rest/:integration', async (c) => {
    const identity = await requireCaller(c);
    const integration = await requireIntegration(identity, c.req.param('integration'));
    return whileAllowed(c, identity, (caller, text, work) => {
      const body = readBody(c.req.header('content-type'), text, howToSend(c));
      return answer(c, caller, integration, body, work);
    });
  });

  // An address for each tool, so that a description of an integration has an operation for each. decision: 037
  app.post('/rest/:integration/:tool', async (c) => {
    const identity = await requireCaller(c);
    const integration = await requireIntegration(identity, c.req.param('integration'));
    const tool = c.req.param('tool');
    // The body has no place for it.
    const { select, account } = c.req.query();
    return whileAllowed(c, identity, (caller, text, work) => {
      const args = readObject(c.req.header('content-type'), text, howToSend(c));
      return answerOne(c, caller, integration, { tool, args, select, account }, work);
    });
  });

  app.post('/sets/:name/tools/:tool', async (c) => {
    const identity = await requireCaller(c);
    const set = await requireSet(identity, c.req.param('name'));
    const tool = c.req.param('tool');
    const { select, account } = c.req.query();
    return whileAllowed(c, identity, (caller, text, work) => {
      const args = readObject(c.req.header('content-type'), text, howToSend(c));
      if (!parseTools(set.tools).includes(tool))
        throw new HttpError(404, { error: truncate(`${ErrorText.TOOL_NOT_FOUND}: ${tool}`), set: set.name });
      toolSets.noteUse(set, caller);
      return answerOne(c, caller, null, { tool, args, select, account }, work);
    });
  });

  /** Reads the body and uses it. What then runs ends with the access of the caller. */
  async function whileAllowed(
    c: Context<RequestEnv>,
    identity: Identity,
    use: (caller: KnownCaller, text: string, work: Work) => Promise<Response>,
  ): Promise<Response> {
    const work = runningWork.begin(identity.userId);
    const { ended } = work;
    try {
      return await readLargeBody(c, identity.userId, (text, lease) => {
        const signal = work.until(c.req.raw.signal);
        const span = c.get('trace')?.admit();
        return use({ ...identity, requestId: c.get('requestId'), signal, ended, lease, span }, text, work);
      });
    } catch (error) {
      throw ended.aborted ? accessEnded() : error;
    } finally {
      work.end();
    }
  }

  async function nearTo(outcome: Outcome, caller: KnownCaller): Promise<readonly string[]> {
    if (outcome.kind !== 'tool-not-found') return [];
    return (await toolboxOf(caller)).nearest.tools(outcome.tool, outcome.within);
  }

  /** Null looks for the tool in all integrations. */
  async function answerOne(
    c: Context,
    caller: KnownCaller,
    within: Integration | null,
    call: Requested,
    work: Work,
  ): Promise<Response> {
    const { userId } = caller;
    const inHeader = readKey(c.req.header(KEY_HEADER));
    const { key = inHeader } = call;
    if (inHeader !== undefined && inHeader !== key)
      throw new HttpError(400, { error: `key: is another one than that of ${KEY_HEADER}` });
    const outcome = await execute(caller, { ...call, key, within });
    if ('replayed' in outcome) c.header(REPLAYED_HEADER, 'true');
    if (outcome.kind !== 'success') {
      const { status, body: failure, headers } = answerTo(outcome, await nearTo(outcome, caller));
      return c.json(failure, status, headers);
    }
    // The body of a replay is that of the first answer.
    const { kind: _, replayed: __, ...answered } = outcome;
    const guard = sendWhileAllowed(runningWork, userId, work);
    return sendJson(c, userId, writeJson(answered satisfies CallAnswer), guard);
  }

  async function answer(
    c: Context,
    caller: KnownCaller,
    integration: Integration,
    body: RestBody,
    work: Work,
  ): Promise<Response> {
    if (body.kind === 'single') return answerOne(c, caller, integration, body.call, work);
    const { userId } = caller;
    const guard = sendWhileAllowed(runningWork, userId, work);
    if (readKey(c.req.header(KEY_HEADER)) !== undefined)
      throw new HttpError(400, { error: `${KEY_HEADER} is for one call. Give each execution its own key` });
    const near = nearestForBatch(toolboxOf, caller);
    const results = await inPool(
      caller,
      body.calls,
      async (taskCaller, item, place): Promise<ExecutionResult> =>
        'wrong' in item
          ? { error: ErrorText.INVALID_ARGUMENTS, integration: integration.name, message: item.wrong }
          : toExecutionResult(await execute(taskCaller, { ...item, within: integration, place }), near),
      () => ({ error: TOO_MUCH, integration: integration.name }),
    );
    return sendJson(
      c,
      userId,
      writeJson({ integration: integration.name, results } satisfies BatchAnswer),
      guard,
    );
  }

  return app;
}
