// Adds an import: finds its source, pins its tools and stores both. decision: 041
import type { Access } from '../kit/integration.ts';
import type { Registries } from '../kit/registries.ts';
import type { Lease } from '../memory/budget.ts';
import type { Ports } from '../ports/ports.ts';
import type { ImportRecord } from '../ports/records.ts';
import { EVERYONE } from '../ports/store.ts';
import type { FindSource, Wanted } from './find-source.ts';
import { afterFirstListing } from './first-listing.ts';
import { atKnownEndpoints, authMistake, headersMistake } from './model/auth-blocks.ts';
import { resolveChoices } from './model/selection.ts';
import type { ImportSettings, Settings } from './model/settings.ts';
import type { Found, ImportAuth } from './model/source-description.ts';
import { SourceFailure } from './model/source-failure.ts';
import { type HasSpace, TOO_LARGE } from './model/space.ts';
import { type Done, refuse, type StoredImport } from './model/stored-imports.ts';
import type { LookBeside } from './look-beside.ts';
import type { Pages } from './pages.ts';
import type { Pin } from './pin.ts';
import { compareTools } from './pinned/compare.ts';
import { isImportName } from './pinned/names.ts';
import type { Pinned } from './pinned/pin.ts';
import type { Sources } from './sources.ts';

export interface NewImport extends Wanted {
  name?: string | undefined;
  displayName?: string | undefined;
  for: 'me' | 'everyone';
  include?: readonly string[] | undefined;
  exclude?: readonly string[] | undefined;
  access?: Readonly<Record<string, Access>> | undefined;
  auth?: ImportAuth | undefined;
  /** What every call of an OpenAPI service carries, such as a version. */
  headers?: Readonly<Record<string, string>> | undefined;
  timeoutSec?: number | undefined;
}

export interface AddedImport {
  stored: StoredImport;
  found: Pick<Found, 'looks' | 'choices'>;
  /** What the preview says too. */
  warnings: readonly string[];
}

/** What is read is charged to the lease. */
export type AddImport = (userId: string, wanted: NewImport, lease: Lease) => Promise<Done<AddedImport>>;

const MAX_IMPORTS_OF_PERSON = 50;
const MAX_IMPORTS_OF_EVERYONE = 200;
// Paths below /api/imports and /api/auth, and pages of the portal, have these names.
const RESERVED = new Set(
  'add catalogue preview logos imports providers me logout hosted idp plugin apikey cookie'.split(' '),
);

type Needs = Pick<Ports, 'clock' | 'random' | 'store'> & {
  findSource: FindSource;
  hasSpace: HasSpace;
  lookBeside: LookBeside;
  pages: Pages;
  pin: Pin;
  registries: Registries;
  settings: ImportSettings;
  sources: Sources;
};

export function createAddImport(deps: Needs): AddImport {
  const { clock, findSource, hasSpace, lookBeside, pages, pin, random, registries, sources, store } = deps;

  function refuseName(name: string): Done<never> | null {
    if (!isImportName(name) || RESERVED.has(name))
      return refuse(400, `“${name}” cannot be the name. Use a letter and then up to 31 of a-z, 0-9 and _`);
    return registries.builtIn.integration(name) === null
      ? null
      : refuse(409, `“${name}” is a built-in integration. Choose another name`);
  }

  return async function addImport(userId, wanted, lease) {
    const wrongName = wanted.name === undefined ? null : refuseName(wanted.name);
    if (wrongName !== null) return wrongName;
    const wrongAuth = wanted.auth === undefined ? null : authMistake(wanted.auth);
    if (wrongAuth !== null) return refuse(400, wrongAuth);
    const wrongHeaders = wanted.headers === undefined ? null : headersMistake(wanted.headers);
    if (wrongHeaders !== null) return refuse(400, wrongHeaders);
    const found = await findSource(wanted, lease);
    if (found.tooMany !== undefined) throw new SourceFailure(413, found.tooMany);
    const source = sources.of(found, found.tools[0]);
    if (source.whyNoHeaders !== null && wanted.headers !== undefined) return refuse(400, source.whyNoHeaders);
    const name = wanted.name ?? found.name;
    const taken = refuseName(name);
    if (taken !== null) return taken;
    const { base } = found;
    const id = random.uuid();
    const owner = wanted.for === 'everyone' ? EVERYONE : userId;
    const beside = await lookBeside({ id, owner }, []);
    const { pinned, warnings } = await pin.tools(
      name,
      found.tools,
      source.addressOf(found, { base }),
      beside,
    );
    const chosen = choose(wanted, found, pinned, await pin.names(found.name, found.tools));
    if (!chosen.ok) return chosen;
    const settings: Settings = {
      auth:
        wanted.auth === undefined
          ? found.auth
          : atKnownEndpoints(wanted.auth, [found.auth, ...(found.otherAuth ?? [])]),
      ...chosen.value,
      isListed: false,
      ...(base === undefined ? {} : { base }),
      ...(found.kind === 'openapi' ? { naming: 2 } : {}),
      ...(wanted.headers === undefined ? {} : { headers: wanted.headers }),
      ...(wanted.timeoutSec === undefined ? {} : { timeoutSec: wanted.timeoutSec }),
    };
    const next = found.isListed ? afterFirstListing(settings, found.tools, pinned) : settings;
    const now = clock.now();
    const record: ImportRecord = {
      id,
      owner,
      name,
      kind: found.kind,
      display_name: wanted.displayName ?? found.displayName,
      description: found.description,
      address: found.address,
      settings: await deps.settings.seal(id, next),
      created_by: userId,
      created_at: now,
      updated_at: now,
      checked_at: now,
      check_error: null,
      version: random.uuid(),
    };
    const { rows } = compareTools([], pinned, { importId: id, trusts: true });
    if (!(await hasSpace(record, rows)) || !(await pages.hasSpace(record, pinned)))
      return refuse(409, TOO_LARGE);
    const most = owner === EVERYONE ? MAX_IMPORTS_OF_EVERYONE : MAX_IMPORTS_OF_PERSON;
    switch (await store.imports.create(record, rows, most)) {
      case 'created':
        // A page that is missing because this fails is stored by the next check.
        await pages.store(id, pinned);
        return {
          ok: true,
          value: {
            stored: { record, settings: next, rows },
            found,
            warnings: [...found.warnings, ...pin.judge(found), ...warnings],
          },
        };
      case 'taken':
        return refuse(409, `There is an integration named “${name}” already. Choose another name`);
      case 'full':
        return refuse(409, `There are ${most} imports already. Delete one first`);
    }
  };
}

type Choice = Pick<Settings, 'include' | 'exclude' | 'access'>;

/** People choose by the names of the preview, which differ when they give the import another name. */
function choose(
  { include, exclude = [], access = {} }: NewImport,
  { isListed }: Found,
  pinned: readonly Pinned[],
  previewed: ReadonlyMap<string, string>,
): Done<Choice> {
  const resolved = resolveChoices(
    { include: include ?? null, exclude, access },
    pinned.map(({ name, definition }) => ({ ...definition, name })),
    previewed,
  );
  // The tools of a source that wants a credential are not known yet.
  if (isListed && resolved.unknown.length > 0)
    return refuse(400, `The source has no tool or tag named ${resolved.unknown.slice(0, 3).join(', ')}`);
  return { ok: true, value: resolved.choice };
}
