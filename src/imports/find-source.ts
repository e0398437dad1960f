// Finds out what an address or a document is: an MCP server or an OpenAPI description.
import { EgressFailure } from '../egress/failure.ts';
import type { Egress } from '../egress/door.ts';
import type { Ports } from '../ports/ports.ts';
import { authMistake } from './auth-blocks.ts';
import { listAsNobody } from './list-as-nobody.ts';
import { InsufficientScope, isAboutAccess, type McpClients } from './mcp/client.ts';
import { MAX_DOCUMENT_BYTES } from './openapi/document.ts';
import { completeSignIn } from './openapi/sign-in.ts';
import type { Choice } from './openapi/read.ts';
import { cleanText, cutText } from './pinned/clean-text.ts';
import { nameImport } from './pinned/names.ts';
import type { Reach } from './reach.ts';
import type { ShownAuth } from './operations.ts';
import { type ImportAuth, type Source, SourceFailure } from './source.ts';

export interface Wanted {
  address?: string | undefined;
  document?: string | undefined;
  kind?: 'mcp' | 'openapi' | undefined;
  base?: string | undefined;
  /** Tags, paths or names. A description with more operations than an import may have is read for these only. */
  include?: readonly string[] | null | undefined;
  /** The name of the import, with which the names of its tools begin. */
  name?: string | undefined;
}

export type Found = Source & {
  /** The address as it is called; null for a document that was uploaded. */
  address: string | null;
  client?: ShownAuth['client'];
};

/** How people sign in at a server; null with the reason when it offers no sign-in. */
export type LookForSignIn = (
  address: string,
  displayName: string,
) => Promise<{ ok: true; client: ShownAuth['client'] } | { ok: false; message: string }>;

export type FindSource = (wanted: Wanted) => Promise<Found>;

type Needs = Pick<Ports, 'clock' | 'random'> & {
  egress: Egress;
  mcp: McpClients;
  lookForSignIn: LookForSignIn;
  reach: Reach;
};

/** Bounds all ways together. The MCP client has the same limit. */
const ALL_MS = 30_000;
const MAX_DISPLAY_NAME = 100;
const MAX_DESCRIPTION = 300;
const DOCUMENT_TYPES = 'application/json, application/yaml;q=0.9, text/yaml;q=0.9, */*;q=0.5';
const TOKEN_HEADER: ImportAuth = { type: 'headers', headers: { Authorization: 'Bearer {token}' } };

/** Returns the milliseconds that are left. Throws a SourceFailure when the time is over. */
type TimeLeft = () => number;

export function createFindSource({ clock, egress, lookForSignIn, mcp, random, reach }: Needs): FindSource {
  async function fromDocument(
    text: string,
    address: string | null,
    { base, include, name }: Pick<Wanted, 'base' | 'include' | 'name'>,
  ): Promise<Found> {
    if (base !== undefined && /[{}]/.test(base))
      throw new SourceFailure(400, 'Write the base address with its values in place of braces');
    const { readOpenApi } = await import('./openapi/read.ts');
    const options = { address, base, turn: () => clock.turn() };
    const first = await readOpenApi(text, options);
    const names = [nameImport(first.name), name ?? ''];
    const source =
      first.isCut === true && include !== undefined && include !== null
        ? await readOpenApi(text, { ...options, choose: choiceOf(include, names) })
        : first;
    const ways = await readWays(source);
    return {
      ...source,
      ...ways,
      name: nameImport(source.name),
      displayName: cleanLine(source.displayName, MAX_DISPLAY_NAME),
      description: cleanLine(source.description, MAX_DESCRIPTION),
      address,
    };
  }

  /** Leaves out the ways to authenticate that the gateway cannot use, and warns about each. */
  async function readWays({ auth, otherAuth = [], warnings }: Source) {
    const problems: string[] = [];
    const usable = [auth, ...otherAuth].filter((way) => {
      const mistake = authMistake(way);
      if (mistake !== null)
        problems.push(`A way to authenticate in the description cannot be used: ${mistake}`);
      return mistake === null;
    });
    const [first, ...others] = await Promise.all(usable.map((way) => completeSignIn(egress, way)));
    return {
      auth: first?.auth ?? { type: 'none' as const },
      client: first?.client,
      ...(others.length === 0 ? { otherAuth: undefined } : { otherAuth: others.map((each) => each.auth) }),
      warnings: [...warnings, ...problems, ...[first, ...others].flatMap((each) => each?.warnings ?? [])],
    };
  }

  async function download(address: string, left: TimeLeft): Promise<string> {
    try {
      const response = await egress.fetch(address, {
        headers: { accept: DOCUMENT_TYPES },
        maxBytes: MAX_DOCUMENT_BYTES,
        timeoutMs: left(),
      });
      if (response.ok) return await response.text();
      await response.body?.cancel();
      throw new SourceFailure(
        502,
        `${new URL(address).host} answered ${response.status} for the description`,
      );
    } catch (error) {
      throw toSourceFailure(error);
    }
  }

  async function fromServer(address: string): Promise<Found> {
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
      const { serverName, title, tools, warnings } = await listAsNobody({ mcp, random, reach }, address);
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
      const signIn = await lookForSignIn(address, host);
      const unlisted = { ...unnamed, tools: [], isListed: false };
      return signIn.ok
        ? { ...unlisted, auth: { type: 'oauth2' }, client: signIn.client, warnings: [] }
        : {
            ...unlisted,
            auth: TOKEN_HEADER,
            warnings: [error instanceof InsufficientScope ? needsToken(host) : signIn.message],
          };
    }
  }

  /** Null when nothing at the address speaks GraphQL. */
  async function fromGraphql(address: string, left: TimeLeft): Promise<Found | null> {
    const { readGraphql } = await import('./openapi/graphql.ts');
    const { send } = reach.asNobody(address, random.uuid());
    try {
      const source = await readGraphql(address, (url, init) => send(url, { ...init, timeoutMs: left() }));
      return source === null ? null : { ...source, name: nameImport(source.name), address };
    } catch (error) {
      throw toSourceFailure(error);
    }
  }

  return async function findSource({ address: given, document, kind, ...how }) {
    if (document !== undefined) {
      if (kind === 'mcp') throw new SourceFailure(400, 'An MCP server has an address, not a document');
      return fromDocument(document, null, how);
    }
    const address = readAddress(given ?? '');
    if (kind === 'mcp') return fromServer(address);
    const until = clock.millis() + ALL_MS;
    const left: TimeLeft = () => {
      const ms = until - clock.millis();
      if (ms <= 0) throw new SourceFailure(504, `${new URL(address).host} did not answer within 30 seconds`);
      // The message of a time-out names this time, so it is a whole number of seconds.
      return Math.ceil(ms / 1_000) * 1_000;
    };
    const asDocument = async () => fromDocument(await download(address, left), address, how);
    const asServer = () => fromServer(address);
    // The likelier way comes first. The other way is tried when the first one fails.
    const isDocument = kind === 'openapi' || /\.(json|ya?ml)$/i.test(new URL(address).pathname);
    const ways = isDocument ? [asDocument, asServer] : [asServer, asDocument];
    const failures: SourceFailure[] = [];
    for (const way of kind === 'openapi' ? [asDocument] : ways) {
      try {
        return await way();
      } catch (error) {
        // A source that is too large or too slow answered in the right way, so no other way is tried.
        if (!(error instanceof SourceFailure) || error.status === 413 || error.status === 504) throw error;
        failures.push(error);
      }
    }
    const [first] = failures;
    const found = first?.status === 400 ? null : await fromGraphql(address, left);
    if (found !== null) return found;
    throw new SourceFailure(
      first?.status ?? 502,
      kind === 'openapi'
        ? (first?.message ?? '')
        : `There is neither an MCP server nor an OpenAPI description at ${new URL(address).host}: ${first?.message}`,
      { cause: first },
    );
  };
}

/** The search for a sign-in would say that the server asks for none. */
const needsToken = (host: string): string =>
  `${host} shows its tools only to people with permission, so each person enters a token of their own.`;

/** People choose by names that begin with the name of the preview or of the import. */
function choiceOf(include: readonly string[], names: readonly string[]): Choice {
  const plain = names.flatMap((name) =>
    include.filter((text) => text.startsWith(`${name}_`)).map((text) => text.slice(name.length + 1)),
  );
  return {
    tags: include,
    paths: include.filter((text) => text.startsWith('/')),
    operations: [...include, ...plain],
  };
}

/** Makes one line of a text from outside, without invisible characters. */
const cleanLine = (text: string, most: number): string =>
  cutText(cleanText(text, new Map()).replaceAll(/\s+/g, ' ').trim(), most);

/** People paste addresses without a scheme, and with a fragment. */
function readAddress(text: string): string {
  const url = URL.parse(
    /^[a-z][a-z0-9+.-]*:/i.test(text) && !/^[\w.-]+:\d/.test(text) ? text : `https://${text}`,
  );
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new SourceFailure(400, 'The address must begin with https:// or http://');
  if (url.username !== '' || url.password !== '')
    throw new SourceFailure(400, 'The address must not contain a user name or a password');
  url.hash = '';
  // Braces stand for values in the addresses of manifests.
  return url.href.replaceAll('{', '%7B').replaceAll('}', '%7D');
}

export function toSourceFailure(error: unknown): unknown {
  if (!(error instanceof EgressFailure)) return error;
  const { message, reason } = error;
  if (reason === 'timeout') return new SourceFailure(504, message, { cause: error });
  if (reason === 'too-large') return new SourceFailure(413, message, { cause: error });
  if (reason === 'forbidden' || reason === 'bad-url')
    return new SourceFailure(400, message, { cause: error });
  return new SourceFailure(502, message, { cause: error });
}
