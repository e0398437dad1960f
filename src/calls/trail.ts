// Follows the requests of a call with a key, so that it is known what a failed call leaves. decision: 053
import type { Fetcher } from '../egress/door.ts';
import { EgressFailure } from '../egress/failure.ts';
import type { Integration } from '../kit/integration.ts';
import type { RegisteredTool } from '../kit/registry.ts';
import { DriverFailure } from '../ports/driver-failure.ts';
import { Busy } from '../ports/unavailable.ts';
import type { Left } from './once/kept.ts';
import type { ToolEnding } from './outcome.ts';

export interface Trail {
  /** Notes each request that can change something. */
  follow(fetcher: Fetcher): Fetcher;
  onRedirect: () => void;
  /** What the call leaves that ended with this error, which its caller reads as this ending. */
  leftBy(error: unknown, ending: ToolEnding): Left;
}

const CHANGES_NOTHING = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Nothing was sent to the address that was asked for. */
const NOT_SENT = new Set(['bad-url', 'forbidden', 'unreachable']);
/** The provider did not begin: it wants another credential, or fewer requests. RFC 9110 §15.5.2, RFC 6585 §4 */
const NOT_BEGUN = new Set([401, 429]);
/** How the gateway's own sentences end where a call may have run. They pass through the libraries of protocols. */
const MAY_HAVE_RUN = /The call may have run|did not answer within|does not answer as an MCP server/;
/** How the address of a local server begins. */
const LOCAL = 'stdio:';
/** The only message of MCP that runs a tool. */
const MCP_CALL = '"tools/call"';

export function createTrail({ tool, integration }: RegisteredTool): Trail {
  const statuses: number[] = [];
  let redirects = 0;
  let tried = 0;
  let lost = 0;
  let underWay = 0;
  /** What a request that only reads has thrown. */
  let readingError: unknown;

  function canChange(method: string, body: unknown): boolean {
    if (integration.imported?.kind === 'mcp') return typeof body !== 'string' || body.includes(MCP_CALL);
    // The tool is declared to change something by this very request.
    if (tool.methodsOf !== undefined || tool.request?.method === method) return true;
    return !CHANGES_NOTHING.has(method);
  }

  /** Whether something reached the provider, or may have. */
  const hasBegun = (): boolean => lost + underWay + statuses.length > 0;
  const isDoubtful = (): boolean => lost + underWay > 0 || statuses.some((status) => status >= 500);

  return {
    follow: (fetcher) => ({
      ...fetcher,
      async fetch(url, init) {
        if (!canChange((init?.method ?? 'GET').toUpperCase(), init?.body))
          return fetcher.fetch(url, init).catch((error: unknown) => {
            readingError = error;
            throw error;
          });
        const before = redirects;
        tried++;
        underWay++;
        try {
          const response = await fetcher.fetch(url, init);
          statuses.push(response.status);
          return response;
        } catch (error) {
          // A request that is redirected has arrived at the address that redirects it.
          if (redirects > before || !isUnsent(error)) lost++;
          throw error;
        } finally {
          underWay--;
        }
      },
    }),
    onRedirect: () => void redirects++,

    leftBy(error, ending) {
      // A tool that sends nothing has perhaps begun, and nobody sees it.
      const mayHaveBegun =
        hasBegun() ||
        (tried === 0 && !usesNetwork(integration) && !(isLocal(integration) && isUnsent(error)));
      if (isDoubtful()) return { kind: 'doubt' };
      if ((error instanceof Busy || error === readingError) && !hasBegun()) return { kind: 'nothing' };
      if (ending.kind !== 'failed' || error instanceof DriverFailure)
        return { kind: mayHaveBegun ? 'doubt' : 'nothing' };
      const { message, cure } = ending;
      const isCutOff = MAY_HAVE_RUN.test(message) || (error instanceof EgressFailure && !isUnsent(error));
      if (isCutOff && mayHaveBegun) return { kind: 'doubt' };
      const isRefusedUnread = statuses.length > 0 && statuses.every((status) => NOT_BEGUN.has(status));
      if (isRefusedUnread || !mayHaveBegun) return { kind: 'nothing' };
      return { kind: 'failure', message, ...(cure === undefined ? {} : { cure }) };
    },
  };
}

const isUnsent = (error: unknown): boolean => error instanceof EgressFailure && NOT_SENT.has(error.reason);

/** The tools of other integrations run in the gateway itself or in a local server. */
const usesNetwork = (integration: Integration): boolean =>
  integration.api !== undefined && !isLocal(integration);

const isLocal = ({ api }: Integration): boolean =>
  typeof api?.base === 'string' && api.base.startsWith(LOCAL);
