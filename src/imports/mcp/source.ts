// The source that speaks MCP: a server lists its tools and runs them in a session. decision: 044
import type { Ports } from '../../ports/ports.ts';
import type { Source } from '../model/source.ts';
import { rememberScopes } from '../oauth/step-up.ts';
import { InsufficientScope, McpFailure } from './client.ts';
import { createFindServer, type FindServerNeeds } from './find-server.ts';
import { createListAgain, type ListAgainNeeds } from './list-again.ts';
import { type AskOne, relay } from './relayed.ts';
import { RELAYED } from './relayed-methods.ts';

export function createMcpSource(deps: FindServerNeeds & ListAgainNeeds & Pick<Ports, 'digest'>): Source {
  const { digest, mcp, reach } = deps;
  return {
    nameEnd: '_mcp',
    whyNoHeaders: 'Write the headers of an MCP server into auth, with the type headers',
    takesOnlyPosts: true,
    addressOf: ({ address }) => address ?? '',
    find: createFindServer(deps),
    read: createListAgain(deps),

    async call(target, { source: name, inputSchema, outputSchema }, args, context) {
      const reached = reach.inCall(target, context);
      try {
        const { files, onAnswer } = context;
        return await mcp.call(reached, { name, inputSchema, outputSchema }, args, files, onAnswer);
      } catch (error) {
        if (!(error instanceof InsufficientScope)) throw reached.redact(error);
        const sentence = await rememberScopes(deps, context, target.integration, error.scopes);
        throw new McpFailure(sentence, { cause: error });
      }
    },

    async relay(target, { method, params }, context) {
      const reached = reach.inCall(target, context);
      const known = RELAYED.find((each) => each === method);
      if (known === undefined) throw new McpFailure(`${method} is not relayed`);
      const { name, displayName } = target.integration;
      const sha256 = (text: string) => digest.sha256(text);
      try {
        const ask: AskOne = (asked, given) => mcp.ask(reached, asked, given);
        return await relay(ask, displayName, name, sha256, known, params);
      } catch (error) {
        if (!(error instanceof InsufficientScope)) throw reached.redact(error);
        const sentence = await rememberScopes(deps, context, target.integration, error.scopes);
        throw new McpFailure(sentence, { cause: error });
      }
    },

    requestOf: () => undefined,
    otherMethodsOf: () => [],
  };
}
