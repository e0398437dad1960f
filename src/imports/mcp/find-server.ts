// Finds out what an MCP server at an address is: its name, its tools and how people sign in.
import type { Source } from '../model/source.ts';
import { type ImportAuth, MAX_DISPLAY_NAME } from '../model/source-description.ts';
import { SourceFailure, toSourceFailure } from '../model/source-failure.ts';
import type { LookForSignIn } from '../oauth/look-for-sign-in.ts';
import { cleanLine } from '../pinned/clean-text.ts';
import { nameImport } from '../pinned/names.ts';
import { InsufficientScope, isAboutAccess } from './client.ts';
import { listAsNobody, type ListAsNobodyNeeds } from './list-as-nobody.ts';

export type FindServerNeeds = ListAsNobodyNeeds & { lookForSignIn: LookForSignIn };

const TOKEN_HEADER: ImportAuth = { type: 'headers', headers: { Authorization: 'Bearer {token}' } };

export function createFindServer(deps: FindServerNeeds): Source['find'] {
  return async function findServer(place) {
    if ('document' in place) throw new SourceFailure(400, 'An MCP server has an address, not a document');
    const { address } = place;
    const { host } = new URL(address);
    const unnamed = {
      kind: 'mcp' as const,
      address,
      name: nameImport(host),
      displayName: host,
      // The server's instructions are written for models, and nobody has judged them.
      description: `Tools of the MCP server at ${host}.`,
    };
    try {
      const { serverName, title, tools, warnings } = await listAsNobody(deps, address);
      return {
        ...unnamed,
        name: nameImport(serverName === '' ? host : serverName),
        displayName: cleanLine(title ?? serverName, MAX_DISPLAY_NAME) || host,
        auth: { type: 'none' },
        tools,
        isListed: true,
        warnings,
      };
    } catch (error) {
      // A server that refuses a stranger may answer 401, or 403 with `insufficient_scope`. Both need a sign-in.
      if (!isAboutAccess(error)) throw toSourceFailure(error);
      const signIn = await deps.lookForSignIn(address, host);
      const unlisted = { ...unnamed, tools: [], isListed: false };
      return signIn.ok
        ? { ...unlisted, auth: { type: 'oauth2' }, client: signIn.client, warnings: [] }
        : {
            ...unlisted,
            auth: TOKEN_HEADER,
            ...(error instanceof InsufficientScope ? {} : { isGuess: true }),
            warnings: [error instanceof InsufficientScope ? needsToken(host) : signIn.message],
          };
    }
  };
}

/** The search for a sign-in would say that the server asks for none. */
const needsToken = (host: string): string =>
  `${host} shows its tools only to people with permission, so each person enters a token of their own.`;
