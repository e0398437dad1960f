// Finds out what an address or a document is: an MCP server, an OpenAPI description or a GraphQL endpoint.
import type { Lease } from '../memory/budget.ts';
import type { Ports } from '../ports/ports.ts';
import type { ImportRecord } from '../ports/records.ts';
import type { Place, Source, Wishes } from './model/source.ts';
import type { Found } from './model/source-description.ts';
import { SourceFailure } from './model/source-failure.ts';

export interface Wanted extends Wishes {
  address?: string | undefined;
  document?: string | undefined;
  kind?: ImportRecord['kind'] | undefined;
}

/** What is read is charged to the lease. */
export type FindSource = (wanted: Wanted, lease: Lease) => Promise<Found>;

type Finder = Pick<Source, 'find'>;
type Needs = Pick<Ports, 'clock'> & { sources: Record<'mcp' | 'openapi' | 'graphql', Finder> };

/** Bounds all ways together. The MCP client has the same limit. */
const ALL_MS = 30_000;

export function createFindSource({ clock, sources: { mcp, openapi, graphql } }: Needs): FindSource {
  function placeAt(address: string, lease: Lease): Place {
    const until = clock.millis() + ALL_MS;
    return {
      address,
      lease,
      timeLeft() {
        const ms = until - clock.millis();
        if (ms <= 0)
          throw new SourceFailure(504, `${new URL(address).host} did not answer within 30 seconds`);
        // The message of a time-out names this time, so it is a whole number of seconds.
        return Math.ceil(ms / 1_000) * 1_000;
      },
    };
  }

  /** The likelier way comes first. The next way is tried when a way fails. */
  function waysTo(place: Place, kind: Wanted['kind']): readonly Finder[] {
    if (kind === 'mcp') return [mcp];
    if ('document' in place) return [openapi];
    if (kind === 'openapi') return [openapi, graphql];
    const isDocument = /\.(json|ya?ml)$/i.test(new URL(place.address).pathname);
    return isDocument ? [openapi, mcp, graphql] : [mcp, openapi, graphql];
  }

  return async function findSource({ address, document, kind, ...wishes }, lease) {
    const place = document === undefined ? placeAt(readAddress(address ?? ''), lease) : { document, lease };
    const ways = waysTo(place, kind);
    const failures: SourceFailure[] = [];
    for (const way of ways) {
      // Status 400 says that the gateway may not ask this address, so it does not ask for GraphQL either.
      if (way === graphql && failures[0]?.status === 400) break;
      try {
        const found = await way.find(place, wishes);
        if (found !== null) return found;
      } catch (error) {
        // A source that is too large or too slow answered in the right way, so no other way is tried.
        if (!(error instanceof SourceFailure) || error.status === 413 || error.status === 504) throw error;
        if (way === ways.at(-1)) throw error;
        failures.push(error);
      }
    }
    const [first] = failures;
    throw new SourceFailure(first?.status ?? 502, sayNothingFound(place, kind, first?.message ?? ''), {
      cause: first,
    });
  };
}

const sayNothingFound = (place: Place, kind: Wanted['kind'], why: string): string =>
  kind === undefined && 'address' in place
    ? `There is neither an MCP server nor an OpenAPI description at ${new URL(place.address).host}: ${why}`
    : why;

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
