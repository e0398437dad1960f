// Shows imports to people: never a secret, and texts from outside cut.
import { mapInTurns } from '../memory/map-in-turns.ts';
import { isForModel } from '../kit/tool-app.ts';
import type { Clock } from '../ports/clock.ts';
import type { ImportToolRecord } from '../ports/records.ts';
import { EVERYONE } from '../ports/store.ts';
import { type ShownApp, showApp } from './app-words.ts';
import { fieldsOf } from './model/auth-blocks.ts';
import { chosenAccess, isIncluded } from './model/selection.ts';
import type { Found, ImportAuth } from './model/source-description.ts';
import { type StoredImport, UNREADABLE } from './model/stored-imports.ts';
import type { Change, Checked, ImportedTool, ImportEntry, Preview, ShownAuth } from './operations.ts';
import { describeChange, isBlocking, type Side } from './pinned/compare.ts';
import { type Definition, listDescription, readDefinition } from './pinned/definition.ts';
import type { PinnedTools } from './pinned/pin.ts';

type Show = (templates: Readonly<Record<string, string>>) => Record<string, string>;

export function showAuth(
  auth: ImportAuth,
  client?: ShownAuth['client'],
  show: Show = withoutLiterals,
): ShownAuth {
  const fields = fieldsOf(auth);
  return {
    type: auth.type,
    ...templatesOf(auth, show),
    ...(auth.type === 'all'
      ? { ways: auth.ways.map((way) => ({ type: way.type, ...templatesOf(way, show) })) }
      : {}),
    ...(fields.length === 0 ? {} : { fields }),
    ...(auth.type === 'oauth2' && auth.clientId !== undefined ? { clientId: auth.clientId } : {}),
    ...(auth.type === 'client' ? { tokenUrl: auth.tokenUrl } : {}),
    ...((auth.type === 'oauth2' || auth.type === 'client') && auth.scopes !== undefined
      ? { scopes: auth.scopes }
      : {}),
    ...(client === undefined ? {} : { client }),
  };
}

function templatesOf(auth: ImportAuth, show: Show): Pick<ShownAuth, 'headers' | 'parameters'> {
  if (auth.type === 'headers') return { headers: show(auth.headers) };
  return auth.type === 'query' ? { parameters: show(auth.parameters) } : {};
}

/** What a source proposes holds no secret, and can be sent back as it is. */
const asProposed: Show = (templates) => ({ ...templates });

const clientOf = (auth: ImportAuth): ShownAuth['client'] =>
  auth.type !== 'oauth2' ? undefined : auth.clientId === undefined ? 'missing' : 'given';

/** What stands beside a field may be a secret that is the same for everybody. The names of schemes are not. */
function withoutLiterals(templates: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(templates).map(([name, value]) => [
      name,
      // A cookie has a name and a field, and nothing that is the same for everybody.
      name.toLowerCase() === 'cookie' ? value : showTemplate(value),
    ]),
  );
}

const SCHEMES = /^(Bearer|Basic|Token|Api-Key|token) $/;

function showTemplate(template: string): string {
  const parts = template.split(/(\{[a-z0-9_]+\})/);
  return parts
    .map((part) => (part === '' || part.startsWith('{') || SCHEMES.test(part) ? part : '…'))
    .join('');
}

/** The words of the source are for those who may change the import: they may be about their account. */
const showError = (error: string | null, editable: boolean): string | null =>
  error === null || editable ? error : 'The source could not be asked';

/** A key in the address is for those who may change the import. */
const withoutQuery = (address: string): string => address.replace(/\?.*$/s, '?…');

type Search = Pick<Preview, 'looks' | 'choices'>;

/** How it was found, where that was not at the given address. */
export const showSearch = ({ looks, choices = [] }: Pick<Found, 'looks' | 'choices'>): Search => ({
  ...(looks === undefined ? {} : { looks: [...looks] }),
  ...(choices.length === 0 ? {} : { choices: [...choices] }),
});

export function showPreview(found: Found, { pinned, warnings, suspicions }: PinnedTools): Preview {
  const { kind, name, displayName, description, auth, client, otherAuth, isListed, base } = found;
  const deprecated = new Set(found.tools.filter((tool) => tool.deprecated === true).map((tool) => tool.name));
  return {
    kind,
    address: found.address,
    ...showSearch(found),
    ...(found.isGuess === true && found.looks !== undefined ? { guess: true as const } : {}),
    name,
    displayName,
    description,
    auth: showAuth(auth, client, asProposed),
    ...(otherAuth === undefined
      ? {}
      : { otherAuth: otherAuth.map((each) => showAuth(each, clientOf(each), asProposed)) }),
    tools: pinned.map(({ name: tool, definition, seemsToRead }) => ({
      name: tool,
      description: listDescription(definition),
      access: definition.access,
      ...(seemsToRead ? { offered: 'read' as const } : {}),
      ready: !deprecated.has(definition.source),
      ...(definition.tags === undefined ? {} : { tags: definition.tags }),
      ...appOf(definition),
    })),
    listed: isListed,
    ...(found.tags === undefined ? {} : { tags: [...found.tags] }),
    ...(found.servers === undefined ? {} : { servers: [...found.servers] }),
    ...(base === undefined ? {} : { base }),
    warnings: [...warnings],
    ...(suspicions.length === 0 ? {} : { suspicions: [...suspicions] }),
  };
}

export async function showImport(
  clock: Clock,
  { record, settings, rows }: StoredImport,
  editable: boolean,
): Promise<ImportEntry> {
  const { name, kind, display_name: displayName, description, address, owner } = record;
  return {
    name,
    kind,
    displayName,
    description,
    address: address === null || (editable && record.created_by !== '') ? address : withoutQuery(address),
    for: owner === EVERYONE ? 'everyone' : 'me',
    editable,
    auth: showAuth(settings?.auth ?? { type: 'none' }),
    include: settings?.include ?? null,
    exclude: settings?.exclude ?? [],
    access: settings?.access ?? {},
    ...(settings?.base === undefined ? {} : { base: settings.base }),
    ...(settings?.headers === undefined ? {} : { headers: withoutLiterals(settings.headers) }),
    ...(settings?.timeoutSec === undefined ? {} : { timeoutSec: settings.timeoutSec }),
    version: record.version,
    createdAt: record.created_at,
    checkedAt: record.checked_at,
    checkError: settings === null ? UNREADABLE : showError(record.check_error, editable),
    tools: (await mapInTurns(clock, rows, (row) => showTool(row, settings))).flat(),
  };
}

function showTool(row: ImportToolRecord, settings: StoredImport['settings']): ImportedTool[] {
  const definition = readDefinition(row);
  if (definition === null) return [];
  return [
    {
      name: definition.name,
      description: listDescription(definition),
      access: (settings && chosenAccess(definition, settings)) ?? definition.access,
      state: row.state,
      blocked: isBlocking(row),
      included: settings !== null && isIncluded(definition, settings),
      ...(definition.tags === undefined ? {} : { tags: definition.tags }),
      ...appOf(definition),
    },
  ];
}

const appOf = ({
  app,
  visibility,
}: Pick<Definition, 'app' | 'visibility'>): { app?: ShownApp; onlyForApp?: true } => ({
  ...(app === undefined ? {} : { app: showApp(app) }),
  ...(isForModel({ visibility }) ? {} : { onlyForApp: true }),
});

const showSide = ({ app, visibility, ...side }: Side) => ({
  ...side,
  ...appOf({ ...(app && { app }), ...(visibility && { visibility }) }),
});

/** Lists what waits for a decision. */
export function showChanges({ record, rows }: StoredImport, warnings: readonly string[] = []): Checked {
  const added: Checked['added'] = [];
  const changed: Change[] = [];
  for (const row of rows) {
    const { name, old, new: found } = describeChange(row);
    if (row.state === 'new' && found !== null) added.push({ name, ...showSide(found) });
    if (row.state === 'changed' && old !== null && found !== null)
      changed.push({ name, blocking: isBlocking(row), old: showSide(old), new: showSide(found) });
  }
  const gone = rows.filter(({ state }) => state === 'gone').map(({ name }) => name);
  return { added, changed, gone, warnings: [...warnings], version: record.version };
}

/** A drawing of our own for what has no logo: the first letters on a colour made of the name. */
export function drawLogo(name: string): string {
  const [first = '', second = ''] = name.split('_');
  const letters = (first.charAt(0) + second.charAt(0)).toUpperCase();
  let hue = 0;
  for (const unit of name) hue = (hue * 31 + unit.charCodeAt(0)) % 360;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><rect width="48" height="48" rx="11" fill="hsl(${hue} 45% 42%)"/><text x="24" y="25" fill="#fff" font-family="system-ui,sans-serif" font-size="20" font-weight="600" text-anchor="middle" dominant-baseline="central">${letters}</text></svg>`;
}
