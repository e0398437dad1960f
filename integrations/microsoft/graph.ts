// What the integrations of Microsoft 365 share: how people sign in, where Microsoft Graph is, and how it spells a query.
import * as z from 'zod';
import { defineIntegration, type Integration, type Upstream } from '../../src/kit/integration.ts';
import { readPayload } from '../../src/kit/payload.ts';
import { createRows, type SendOptions } from '../../src/kit/rest-rows.ts';

const LOGIN = 'https://login.microsoftonline.com/{tenant}/oauth2/v2.0';

type Own = Pick<
  Integration,
  'name' | 'displayName' | 'description' | 'categories' | 'logo' | 'tools' | 'version' | 'words'
> & { scopes: readonly string[]; headers?: Readonly<Record<string, string>> };

/** `headers` go with each call of the API. */
export function defineMicrosoft({ scopes, headers = {}, ...own }: Own): Integration {
  return defineIntegration({
    ...own,
    auth: {
      type: 'oauth2',
      authorizeUrl: `${LOGIN}/authorize`,
      tokenUrl: `${LOGIN}/token`,
      tenant: 'MICROSOFT_TENANT',
      // Without offline_access Microsoft returns no refresh token.
      scopes: ['offline_access', 'User.Read', ...scopes],
      registerUrl: 'https://entra.microsoft.com/#view/Microsoft_AAD_RegisteredApps/ApplicationsListBlade',
      registerHelp: `Choose New registration, the supported account types, the platform Web and the redirect address. Then make a secret under Certificates & secrets and copy its Value. A client for one organization only, or for personal accounts only, needs MICROSOFT_TENANT.`,
      clientAuth: 'post',
      family: { name: 'microsoft', displayName: 'Microsoft' },
      // Otherwise Microsoft takes the account that the browser is signed in with, without asking.
      authorizeParameters: { prompt: 'select_account' },
    },
    api: {
      base: 'https://graph.microsoft.com/v1.0',
      credential: { in: 'bearer' },
      headers,
      // POST /$batch carries requests of every method, and actions such as permanentDelete are a POST.
      methodsMeanNothing: 'except GET',
    },
    probe: { request: 'GET /me?$select=id,userPrincipalName', id: '/id', label: '/userPrincipalName' },
    revoke: { at: 'https://myapps.microsoft.com/' },
  });
}

export const { row, send, toCall } = createRows({ names: 'camelCase' });

export const text = z.string();
export const some = text.optional();
export const flag = z.boolean().optional();
export const texts = z.array(text);
export const object = z.record(text, z.unknown());

/** The options of a query start with a dollar sign. */
export const ODATA = { select: '$select', expand: '$expand', filter: '$filter', search: '$search' };

export const whoami = (name: string) =>
  row(
    `${name}_whoami`,
    'GET /me',
    'Show whose Microsoft account is connected',
    () => ({
      select: text
        .default('id,displayName,mail,userPrincipalName,jobTitle')
        .describe('Properties to return, separated by commas'),
    }),
    { names: ODATA },
  );

/** Makes ids survive when a message or an event moves to another folder or calendar. docs: Immutable identifiers */
export const IMMUTABLE_IDS = 'IdType="ImmutableId"';

/** Spells a text in a filter or an address. A quote in the text is doubled, so that it cannot end the text. */
export const literal = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** Spells the value of $search, which has to be in double quotes. */
export const phrase = (value: string): string => `"${value.replace(/["\\]/g, '\\$&')}"`;

/** A text that a path contains between single quotes. */
export const quoted = text.transform((value) => value.replaceAll("'", "''"));

export const pageSize = (most: number) =>
  z.int().min(1).max(most).default(20).describe(`Results per page, at most ${most}`);
export const page = some.describe(
  'nextPage of the previous answer, with the other arguments unchanged; the first page without it',
);

export type Item = Record<string, unknown>;
export interface Page {
  items: unknown[];
  nextPage?: string;
}

interface PageOptions {
  /** The arguments in the path. */
  place?: Record<string, unknown> | undefined;
  /** The query of the first page. The link to the next page has it too. */
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  page: string | undefined;
  headers?: SendOptions['headers'];
  show?: (item: Item) => unknown;
}

const Collection = z.lazy(() => z.looseObject({ value: z.array(object), '@odata.nextLink': some }));

export async function readPage(
  upstream: Upstream,
  request: `GET /${string}`,
  { place, query = {}, page: cursor, headers = {}, show = (item) => item }: PageOptions,
): Promise<Page> {
  const call = { ...toCall(request, place, { headers }), query: queryOf(query, cursor) };
  const payload = Collection.parse(await readPayload(await upstream(call)));
  const nextPage = cursorOf(payload['@odata.nextLink']);
  return { items: payload.value.map(show), ...(nextPage === undefined ? {} : { nextPage }) };
}

function queryOf(first: NonNullable<PageOptions['query']>, cursor: string | undefined): URLSearchParams {
  if (cursor === undefined) {
    const given = Object.entries(first).filter(([, value]) => value !== undefined);
    return new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  }
  const query = new URLSearchParams(cursor);
  if (![...query.keys()].some((name) => /^\$skip(token)?$/i.test(name)))
    throw new Error('page has to be nextPage of the previous answer');
  return query;
}

/**
 * Microsoft asks clients to send the whole link again, and not to take the token out of it. Only its query is used, at the
 * tool's own address: a link cannot lead to another host or path.
 */
function cursorOf(link: string | undefined): string | undefined {
  const search = link === undefined ? '' : (URL.parse(link)?.search ?? '');
  return search === '' ? undefined : search.slice(1);
}
