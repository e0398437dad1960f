// Answers the requests for prompts and resources of a set. What is asked of a server is an execution on the one way, and what
// a list says of prompts is what somebody has accepted. reference: Prompts and resources; decision: 060
import type { Execute } from '../calls/execute.ts';
import { toExecutionResult } from '../calls/execution-result.ts';
import { JsonRpcCode } from '../http/error-codes.ts';
import { isObject } from '../json/json.ts';
import type { Identity } from '../kit/actor.ts';
import type { KnownCaller, Tool } from '../kit/integration.ts';
import type { Registries } from '../kit/registries.ts';
import type { RegisteredTool } from '../kit/registry.ts';
import { parseServers, type ServedPrompt, type SetServer } from '../kit/set-servers.ts';
import type { Connected } from '../connections/model/connected.ts';
import type { Gate } from '../policy/model/gate.ts';
import type { SetRecord } from '../ports/sets.ts';
import type { Request } from './json-rpc.ts';
import { invalidArguments, type Methods, noResource } from './methods.ts';
import type { PlainReply } from './served.ts';
import { addressIn, readAddress, readdress } from './set-addresses.ts';
import { explainFailure } from './set-failure.ts';

interface Needs {
  connected: Pick<Connected, 'each'>;
  execute: Execute;
  gate: Pick<Gate, 'permissionsOf'>;
  methods: Methods;
  registries: Registries;
}

export interface SetRelay {
  /** `own` are the resources that the set has beside those of servers. Null for a request about something else. */
  reply(
    set: SetRecord,
    caller: KnownCaller,
    request: Request,
    own: () => Promise<Record<string, unknown>[]>,
  ): Promise<PlainReply | null>;
}

const MAX_ARGUMENT = 64 * 1024;
/** These calls have no names that could be mistaken. */
const NEVER_NEAR = async () => () => [];

export function createSetRelay({ connected, execute, gate, methods, registries }: Needs): SetRelay {
  async function relayOf(
    caller: Identity,
    importName: string,
    what: 'prompts' | 'resources',
  ): Promise<RegisteredTool | null> {
    const registry = await registries.of(caller.userId);
    const integration = registry.integration(importName);
    const tool: Tool | undefined = integration?.imported?.relays?.[what];
    return integration === null || tool === undefined ? null : { tool, integration };
  }

  async function ask(
    caller: KnownCaller,
    found: RegisteredTool,
    method: string,
    params: Record<string, unknown>,
  ): Promise<{ result: Record<string, unknown> } | { sentence: string }> {
    const outcome = await execute(caller, {
      tool: found.tool.name,
      args: { method, params },
      within: null,
      found,
    });
    if (outcome.kind === 'success' && isObject(outcome.result)) return { result: outcome.result };
    const sentence = await explainFailure(methods, caller, await toExecutionResult(outcome, NEVER_NEAR));
    return { sentence };
  }

  /** Only what runs without a question is listed: a list must open no approval. */
  async function listFrom(
    servers: readonly SetServer[],
    caller: KnownCaller,
    method: string,
    member: string,
  ): Promise<{ importName: string; listed: Record<string, unknown>[] }[]> {
    const permissions = await gate.permissionsOf(caller);
    const wanted = servers.filter(({ resources }) => resources);
    return Promise.all(
      wanted.map(async ({ import: importName }) => {
        const found = await relayOf(caller, importName, 'resources');
        if (found === null) return { importName, listed: [] };
        const { decision } = permissions.ofTool(found.integration, found.tool);
        const accounts = await connected.each(caller.userId, [found.integration]);
        if (decision !== 'allow' || accounts.get(importName)?.isServed === false)
          return { importName, listed: [] };
        const answer = await ask(caller, found, method, {});
        const listed = 'result' in answer ? answer.result[member] : undefined;
        return { importName, listed: Array.isArray(listed) ? listed.filter(isObject) : [] };
      }),
    );
  }

  async function listPrompts(servers: readonly SetServer[], caller: KnownCaller) {
    const permissions = await gate.permissionsOf(caller);
    const listed: Record<string, unknown>[] = [];
    for (const { import: importName, prompts } of servers) {
      const found = prompts === null ? null : await relayOf(caller, importName, 'prompts');
      if (prompts === null || found === null) continue;
      if (permissions.ofTool(found.integration, found.tool).decision === 'block') continue;
      listed.push(...prompts.map(({ source: _, ...prompt }) => prompt));
    }
    return listed;
  }

  async function getPrompt(
    servers: readonly SetServer[],
    caller: KnownCaller,
    { name, arguments: given = {} }: Request['params'],
  ): Promise<PlainReply> {
    const server = servers.find(({ prompts }) => prompts?.some((prompt) => prompt.name === name) === true);
    const prompt = server?.prompts?.find((each) => each.name === name);
    const found = server === undefined ? null : await relayOf(caller, server.import, 'prompts');
    if (server === undefined || prompt === undefined || found === null) return noPrompt(name);
    const args = readArguments(prompt, given);
    if ('error' in args) return args;
    const params = { name: prompt.source, arguments: args.value };
    const answer = await ask(caller, found, 'prompts/get', params);
    if ('sentence' in answer) return failed(answer.sentence);
    const { messages, ...rest } = answer.result;
    if (!server.resources || !Array.isArray(messages)) return { result: answer.result };
    const addressOf = addressIn(server.import);
    const shown = messages.map((message: unknown) =>
      isObject(message) ? { ...message, content: readdress(message['content'], addressOf) } : message,
    );
    return { result: { ...rest, messages: shown } };
  }

  async function readResource(
    servers: readonly SetServer[],
    caller: KnownCaller,
    uri: unknown,
  ): Promise<PlainReply | null> {
    const address = typeof uri === 'string' ? readAddress(uri) : null;
    // The pages of apps have other addresses.
    if (address === null) return null;
    const { importName } = address;
    const isOffered = servers.some((server) => server.import === importName && server.resources);
    const found = isOffered ? await relayOf(caller, importName, 'resources') : null;
    if (found === null || /^\s*ui:/i.test(address.uri)) return noResource(uri);
    const answer = await ask(caller, found, 'resources/read', { uri: address.uri });
    if ('sentence' in answer) return failed(answer.sentence);
    const { contents } = answer.result;
    const addressOf = addressIn(importName);
    const shown = Array.isArray(contents) ? contents.map((each: unknown) => readdress(each, addressOf)) : [];
    return { result: { contents: shown } };
  }

  return {
    async reply({ servers: text }, caller, { method, params }, own) {
      const servers = parseServers(text);
      if (servers.length === 0) return null;
      switch (method) {
        case 'prompts/list':
          return { result: { prompts: await listPrompts(servers, caller) } };
        case 'prompts/get':
          return getPrompt(servers, caller, params);
        case 'resources/list': {
          const lists = await listFrom(servers, caller, method, 'resources');
          const shown = lists.flatMap(({ importName, listed }) =>
            listed.map((each) => ({ ...each, uri: addressIn(importName)(String(each['uri'])) })),
          );
          return { result: { resources: [...(await own()), ...shown] } };
        }
        case 'resources/templates/list': {
          const lists = await listFrom(servers, caller, method, 'resourceTemplates');
          const shown = lists.flatMap(({ importName, listed }) =>
            listed.map((each) => ({
              ...each,
              uriTemplate: addressIn(importName)(String(each['uriTemplate'])),
            })),
          );
          return { result: { resourceTemplates: shown } };
        }
        case 'resources/read':
          return readResource(servers, caller, params['uri']);
        default:
          return null;
      }
    },
  };
}

/** Arguments of prompts are texts. One that the accepted prompt does not have is refused. */
function readArguments(
  { arguments: known }: ServedPrompt,
  given: unknown,
): { value: Record<string, string> } | ReturnType<typeof invalidArguments> {
  if (!isObject(given)) return invalidArguments('arguments: must be an object');
  const value: Record<string, string> = {};
  for (const [name, each] of Object.entries(given)) {
    if (!known.some((argument) => argument.name === name))
      return invalidArguments(`${name}: the prompt has no such argument`);
    if (typeof each !== 'string' || each.length > MAX_ARGUMENT)
      return invalidArguments(`${name}: must be a text of at most ${MAX_ARGUMENT} characters`);
    value[name] = each;
  }
  const missing = known.find(({ name, required }) => required === true && !Object.hasOwn(value, name));
  return missing === undefined ? { value } : invalidArguments(`${missing.name}: is required`);
}

const noPrompt = (name: unknown): PlainReply => ({
  error: { code: JsonRpcCode.INVALID_PARAMS, message: 'Prompt not found', data: { name } },
});
const failed = (message: string): PlainReply => ({ error: { code: JsonRpcCode.INTERNAL_ERROR, message } });
