// Holds how an import is connected while the person edits it, and turns it into what the gateway takes.
import type { GivenAuth } from '../../api/import-changes.ts';
import type { AuthWay, ImportKind, ShownAuth } from '../../api/imports.ts';
import { importsTexts } from '../../texts/imports.ts';

const words = importsTexts.way;

export interface Pair {
  name: string;
  value: string;
}

type ShownWay = NonNullable<ShownAuth['ways']>[number];

export interface WayDraft {
  type: AuthWay;
  headers: readonly Pair[];
  parameters: readonly Pair[];
  /** What the service wants together, as it says. */
  ways: readonly ShownWay[];
  clientId: string;
  clientSecret: string;
  scopes: string;
  /** Where the client of each person gets its tokens, and for what, as the source says. */
  client: { tokenUrl: string; scopes?: readonly string[] };
}

/** The way of an import, and the other ways that its source offers, as a draft to edit. */
export function draftOf(auth: ShownAuth, others: readonly ShownAuth[] = []): WayDraft {
  const all = [auth, ...others];
  const find = (type: AuthWay) => all.find((each) => each.type === type);
  const oauth2 = find('oauth2');
  const client = find('client');
  return {
    type: auth.type,
    headers: pairsOf(find('headers')?.headers, [{ name: 'Authorization', value: 'Bearer {token}' }]),
    parameters: pairsOf(find('query')?.parameters, [{ name: 'api_key', value: '{token}' }]),
    ways: find('all')?.ways ?? [],
    clientId: oauth2?.clientId ?? '',
    clientSecret: '',
    scopes: (oauth2?.scopes ?? []).join(' '),
    client: { tokenUrl: client?.tokenUrl ?? '', ...(client?.scopes && { scopes: client.scopes }) },
  };
}

/** The types to choose from: those that the source offers first, then the usual ones. */
export function typesOf(auth: ShownAuth, others: readonly ShownAuth[] = []): AuthWay[] {
  return [...new Set<AuthWay>([auth.type, ...others.map(({ type }) => type), 'oauth2', 'headers', 'none'])];
}

/** Returns what the gateway takes, or nothing when the person changed nothing. */
export function givenAuth(
  draft: WayDraft,
  auth: ShownAuth,
  others: readonly ShownAuth[],
): GivenAuth | undefined {
  const found = draftOf(auth, others);
  return draft.type === found.type && JSON.stringify(relevant(draft)) === JSON.stringify(relevant(found))
    ? undefined
    : relevant(draft);
}

/** Values go to the operator's own servers, and nobody changes how. */
function relevant(draft: WayDraft): GivenAuth | undefined {
  switch (draft.type) {
    case 'values':
      return undefined;
    case 'all':
      return { type: 'all', ways: draft.ways.map(enteredOf) };
    case 'client': {
      const { tokenUrl, scopes } = draft.client;
      return { type: 'client', tokenUrl, ...(scopes && { scopes: [...scopes] }) };
    }
    case 'none':
      return { type: 'none' };
    case 'basic':
      return { type: 'basic' };
    case 'headers':
      return { type: 'headers', headers: recordOf(draft.headers) };
    case 'query':
      return { type: 'query', parameters: recordOf(draft.parameters) };
    case 'oauth2': {
      const clientId = draft.clientId.trim();
      const clientSecret = draft.clientSecret.trim();
      const scopes = draft.scopes.split(/\s+/).filter((scope) => scope !== '');
      return {
        type: 'oauth2',
        ...(clientId === '' ? {} : { clientId }),
        ...(clientSecret === '' ? {} : { clientSecret }),
        ...(scopes.length === 0 ? {} : { scopes }),
      };
    }
  }
}

function enteredOf({ type, headers = {}, parameters = {} }: ShownWay) {
  switch (type) {
    case 'basic':
      return { type } as const;
    case 'headers':
      return { type, headers } as const;
    case 'query':
      return { type, parameters } as const;
  }
}

/** Says what is missing, or an empty text. */
/** The gateway shows this in place of a value that may be a secret. */
const HIDDEN = '…';

export function findProblem(draft: WayDraft, isClientMissing: boolean): string {
  if (
    draft.type === 'oauth2' &&
    draft.clientId.trim() === '' &&
    (isClientMissing || draft.clientSecret.trim() !== '')
  )
    return words.clientIdMissing;
  const hidden = draft.headers.find(({ value }) => value.trim() === HIDDEN);
  if (draft.type === 'headers' && hidden !== undefined) return words.hidden(hidden.name);
  if (draft.type === 'headers' && !isFilled(draft.headers)) return words.headerMissing;
  if (draft.type === 'query' && !isFilled(draft.parameters)) return words.headerMissing;
  return '';
}

/** Tells whether people can sign in only after somebody has given a client. Only MCP servers take one of ours. */
export function needsClient(kind: ImportKind, auths: readonly ShownAuth[]): boolean {
  const signIn = auths.find(({ type }) => type === 'oauth2');
  if (signIn?.client === undefined) return kind === 'openapi' && signIn?.clientId === undefined;
  return signIn.client === 'missing';
}

function isFilled(pairs: readonly Pair[]): boolean {
  return (
    Object.keys(recordOf(pairs)).length > 0 &&
    pairs.every(({ name, value }) => (name.trim() === '') === (value.trim() === ''))
  );
}

function pairsOf(record: Record<string, string> | undefined, usual: Pair[]): Pair[] {
  const pairs = Object.entries(record ?? {}).map(([name, value]) => ({ name, value }));
  return pairs.length === 0 ? usual : pairs;
}

function recordOf(pairs: readonly Pair[]): Record<string, string> {
  return Object.fromEntries(
    pairs.filter(({ name }) => name.trim() !== '').map(({ name, value }) => [name.trim(), value.trim()]),
  );
}
