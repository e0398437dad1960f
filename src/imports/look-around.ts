// Looks for the description of a service whose address people know: what its page names, then the usual places beside it.
import { parseUpstreamJson } from '../egress/json.ts';
import type { Egress } from '../egress/door.ts';
import { EgressFailure } from '../egress/failure.ts';
import type { Ports } from '../ports/ports.ts';
import type { Located, Source, Wishes } from './model/source.ts';
import type { Choice, Found, Look } from './model/source-description.ts';
import { SourceFailure } from './model/source-failure.ts';
import {
  type Named,
  namedInCatalogue,
  namedInConfiguration,
  namedInHeader,
  namedInPage,
  namedInScript,
  setUpScripts,
} from './named-addresses.ts';

export type Language = 'mcp' | 'openapi' | 'graphql';
export type Finders = Record<Language, Pick<Source, 'find'>>;

export interface Around {
  found: Found | null;
  /** What else the page offers. */
  choices: readonly Choice[];
  looks: readonly Look[];
}

export type LookAround = (
  place: Located,
  wishes: Wishes,
  languages: ReadonlySet<Language>,
) => Promise<Around>;

type Needs = Pick<Ports, 'clock'> & { egress: Egress; sources: Finders };

const ALL_MS = 10_000;
const PAGE_BYTES = 1024 * 1024;
/** A page may name many addresses that are no descriptions. */
const MOST_NAMED = 8;
const CATALOGUE = '/.well-known/api-catalog';
/** What servers and web frameworks use, the commonest first. Nothing else is guessed. */
const USUAL: readonly (readonly [path: string, language: Language])[] = [
  ['/mcp', 'mcp'],
  ['/openapi.json', 'openapi'],
  ['/v3/api-docs', 'openapi'],
  ['/swagger/doc.json', 'openapi'],
  ['/api-json', 'openapi'],
  ['/swagger.json', 'openapi'],
  ['/openapi.yaml', 'openapi'],
  ['/api/schema/', 'openapi'],
  ['/schema/openapi.json', 'openapi'],
  ['/openapi/json', 'openapi'],
  ['/api-docs', 'openapi'],
  ['/doc', 'openapi'],
  ['/graphql', 'graphql'],
  ['/sse', 'mcp'],
];
/** How a server of MCP answers a plain GET: it wants a credential, another method or another media type. */
const MCP_STATUS = new Set([400, 401, 403, 405, 406]);

interface Page {
  text: string;
  status: number;
  /** Where the redirects ended. */
  address: string;
  isPage: boolean;
  isStream: boolean;
  link: string | null;
}

export function createLookAround({ clock, egress, sources }: Needs): LookAround {
  return async function lookAround(place, wishes, languages) {
    const looks: Look[] = [];
    const until = clock.millis() + ALL_MS;
    const isOver = () => clock.millis() >= until;
    const timeLeft = () => Math.min(place.timeLeft(), Math.max(1, until - clock.millis()));
    const note = (address: string, said: string) => void looks.push({ address, said });

    async function get(address: string): Promise<Page | null> {
      try {
        const response = await egress.bind({ lease: place.lease }).fetch(address, {
          headers: { accept: 'text/html, application/linkset+json;q=0.9, application/json;q=0.9, */*;q=0.5' },
          maxBytes: PAGE_BYTES,
          timeoutMs: timeLeft(),
        });
        const type = response.headers.get('content-type') ?? '';
        const isStream = /event-stream/i.test(type);
        if (isStream) await response.body?.cancel();
        const text = isStream ? '' : await response.text();
        note(address, `answered ${response.status}`);
        return {
          text,
          status: response.status,
          address: response.url === '' ? address : response.url,
          isPage: response.ok && /html/i.test(type),
          isStream,
          link: response.headers.get('link'),
        };
      } catch (error) {
        if (!(error instanceof EgressFailure)) throw error;
        note(address, error.message);
        return null;
      }
    }

    async function ask(language: Language, address: string, wanted = wishes): Promise<Found | null> {
      if (!languages.has(language) || isOver()) return null;
      try {
        const found = await sources[language].find({ ...place, address, timeLeft }, wanted);
        note(address, found === null ? 'speaks another language' : 'was found');
        return found;
      } catch (error) {
        if (!(error instanceof SourceFailure)) throw error;
        // A description that is too large is the right one.
        if (error.status === 413) throw error;
        note(address, error.message);
        return null;
      }
    }

    /** The first one that is a description. The others are for the importer to choose. */
    async function firstOf(named: readonly Named[]): Promise<Around | null> {
      for (const { address } of named.slice(0, MOST_NAMED)) {
        const found = await ask('openapi', address);
        if (found !== null) return { found, choices: choicesAmong(named), looks };
      }
      return null;
    }

    async function fromPage(): Promise<readonly Named[]> {
      const page = await get(place.address);
      if (page === null) return [];
      const named = [...namedInHeader(page.link, page.address)];
      if (!page.isPage) return named;
      named.push(...namedInPage(page.text, page.address));
      for (const script of setUpScripts(page.text, page.address)) {
        const read = isOver() ? null : await get(script);
        // What a script names is relative to the page.
        if (read !== null) named.push(...namedInScript(read.text, page.address));
      }
      return withConfigurations(named);
    }

    /** springdoc names a configuration, which names the descriptions. */
    async function withConfigurations(named: readonly Named[]): Promise<Named[]> {
      const all: Named[] = [];
      for (const each of named) {
        const isConfiguration = /swagger-config|\bconfig(uration)?(\.json)?$/i.test(
          new URL(each.address).pathname,
        );
        const read = isConfiguration && !isOver() ? await get(each.address) : null;
        all.push(...(read === null ? [each] : namedInConfiguration(readJson(read), read.address)));
      }
      return all;
    }

    async function fromCatalogue(): Promise<readonly Named[]> {
      const address = new URL(CATALOGUE, place.address).href;
      const read = isOver() ? null : await get(address);
      return read?.status === 200 ? namedInCatalogue(readJson(read), read.address) : [];
    }

    async function atUsualPlaces(): Promise<Found | null> {
      for (const [path, language] of usualBeside(place.address)) {
        const address = new URL(path, place.address).href;
        if (address === place.address || !languages.has(language) || isOver()) continue;
        if (language === 'mcp') {
          const read = await get(address);
          if (read === null || !(read.isStream || MCP_STATUS.has(read.status))) continue;
        }
        const found = await ask(language, address, { isGraphql: false, ...wishes });
        if (found !== null && found.isGuess !== true) return found;
      }
      return null;
    }

    if (languages.has('openapi')) {
      const named = (await firstOf(await fromPage())) ?? (await firstOf(await fromCatalogue()));
      if (named !== null) return named;
    }
    return { found: await atUsualPlaces(), choices: [], looks };
  };
}

/** NestJS publishes the description of the page `/docs` at `/docs-json`. */
function usualBeside(address: string): readonly (readonly [path: string, language: Language])[] {
  const path = new URL(address).pathname.replace(/\/+$/, '');
  return path === '' ? USUAL : [[`${path}-json`, 'openapi'], ...USUAL];
}

function choicesAmong(named: readonly Named[]): Choice[] {
  const titled = named.filter(({ title }) => title !== undefined);
  return titled.length < 2 ? [] : titled.map(({ address, title = address }) => ({ address, title }));
}

function readJson({ text, address }: Page): unknown {
  try {
    return parseUpstreamJson(text, new URL(address).host);
  } catch (error) {
    if (error instanceof EgressFailure) return null;
    throw error;
  }
}
