// Finds out what an address or a document is: an MCP server, an OpenAPI description or a GraphQL endpoint.
import type { Egress } from '../egress/door.ts';
import type { Lease } from '../memory/budget.ts';
import type { Ports } from '../ports/ports.ts';
import type { ImportRecord } from '../ports/records.ts';
import { type Around, createLookAround, type Finders, type Language } from './look-around.ts';
import type { Place, Source, Wishes } from './model/source.ts';
import type { Found } from './model/source-description.ts';
import { SourceFailure } from './model/source-failure.ts';

export interface Wanted extends Wishes {
  address?: string | undefined;
  document?: string | undefined;
  kind?: ImportRecord['kind'] | 'graphql' | undefined;
  /** Set for an import that exists: what somebody has accepted is at this address, and nowhere else. */
  isStored?: true | undefined;
}

/** What is read is charged to the lease. */
export type FindSource = (wanted: Wanted, lease: Lease) => Promise<Found>;

type Finder = Pick<Source, 'find'>;
type Needs = Pick<Ports, 'clock'> & { egress: Egress; sources: Finders };

/** Bounds all ways together. The MCP client has the same limit. */
const ALL_MS = 30_000;

export function createFindSource({ clock, egress, sources }: Needs): FindSource {
  const { mcp, openapi, graphql } = sources;
  const lookAround = createLookAround({ clock, egress, sources });

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
    if (kind === 'graphql') return [graphql];
    if (kind === 'openapi') return [openapi, graphql];
    const { pathname } = new URL(place.address);
    // A GraphQL endpoint that wants a credential refuses in the same way as anything else.
    if (/\bgraphql\b/i.test(pathname) && !/\bmcp\b/i.test(pathname)) return [graphql, mcp, openapi];
    return /\.(json|ya?ml)$/i.test(pathname) ? [openapi, mcp, graphql] : [mcp, openapi, graphql];
  }

  return async function findSource({ address, document, kind, isStored, ...given }, lease) {
    const wishes = kind === 'graphql' ? { ...given, isGraphql: true } : given;
    const place = document === undefined ? placeAt(readAddress(address ?? ''), lease) : { document, lease };
    const ways = waysTo(place, kind);
    const failures: SourceFailure[] = [];
    let guess: Found | null = null;
    for (const way of ways) {
      // Status 400 says that the gateway may not ask this address, so it does not ask for GraphQL either.
      if (way === graphql && failures[0]?.status === 400) break;
      try {
        const found = await way.find(place, wishes);
        if (found === null) continue;
        if (found.isGuess !== true || kind !== undefined) return found;
        guess ??= found;
      } catch (error) {
        // A source that is too large or too slow answered in the right way, so no other way is tried.
        if (!(error instanceof SourceFailure) || error.status === 413 || error.status === 504) throw error;
        failures.push(error);
      }
    }
    const [first] = failures;
    if (!('address' in place)) throw first ?? new SourceFailure(422, 'This is not an OpenAPI description.');
    const around =
      isStored === true || first?.status === 400 || (guess !== null && isMcpPath(place.address))
        ? null
        : await lookAround(place, wishes, languagesOf(kind));
    if (around?.found) return { ...around.found, looks: around.looks, choices: around.choices };
    if (guess !== null)
      return around === null
        ? guess
        : {
            ...guess,
            description: `Tools of the service at ${new URL(place.address).host}.`,
            warnings: [...guess.warnings, SAYS_NOTHING],
            looks: around.looks,
          };
    throw new SourceFailure(
      first?.status ?? 502,
      sayNothingFound(
        place.address,
        kind,
        first?.message ?? 'It says nothing that the gateway knows',
        around,
      ),
      { cause: first },
    );
  };
}

const SAYS_NOTHING =
  'It wants a credential before it says what it is. If it is not an MCP server, choose what it is.';

const isMcpPath = (address: string): boolean => /\/(mcp|sse)\/?$/i.test(new URL(address).pathname);

const languagesOf = (kind: Wanted['kind']): ReadonlySet<Language> =>
  new Set(
    kind === undefined ? ['mcp', 'openapi', 'graphql'] : kind === 'openapi' ? ['openapi', 'graphql'] : [kind],
  );

function sayNothingFound(address: string, kind: Wanted['kind'], why: string, around: Around | null): string {
  const { host, origin } = new URL(address);
  const places = [...new Set((around?.looks ?? []).map((look) => look.address))].filter(
    (each) => each !== address,
  );
  if (places.length === 0) return kind === undefined ? `We found nothing to add at ${host}: ${why}` : why;
  const named = places.slice(0, NAMED_PLACES).map((each) => each.replace(origin, ''));
  const more = places.length > named.length ? ` and ${places.length - named.length} more places` : '';
  return `We tried ${address.replace(origin, '')}, ${named.join(', ')}${more} at ${host} and found nothing. ${why.replace(/\.?$/, '.')}`;
}

const NAMED_PLACES = 6;

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
