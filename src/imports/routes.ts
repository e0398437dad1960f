// Serves /api/imports: people add integrations, look at what has changed, and accept it. reference: Imports
import { type Context, Hono } from 'hono';
import type { IsAdministrator } from '../auth/administrators.ts';
import { loadUser, type PortalEnv, requirePortalUser } from '../auth/portal-user.ts';
import { HttpError, RETRY_LATER } from '../http/errors.ts';
import { sendLogo } from '../http/logo.ts';
import type { Success } from '../http/operation.ts';
import { readJsonBody, type ReadLargeBody } from '../http/request-body.ts';
import { parseJson } from '../json/json.ts';
import { type Identify, SESSION } from '../kit/actor.ts';
import { validQuery } from '../kit/valid-query.ts';
import { describeIssues } from '../kit/validation.ts';
import type { HeavyTurn } from '../memory/heavy-turns.ts';
import { HEAVY_TEXT } from '../memory/limits.ts';
import { createCallCounts } from '../memory/per-person.ts';
import type { PermissionsOf } from '../policy/model/permissions.ts';
import type { Ports } from '../ports/ports.ts';
import { EVERYONE } from '../ports/store.ts';
import { drawLogo, showChanges, showImport, showPreview, showSearch } from './describe.ts';
import { AcceptForm, ImportForm, ImportPatch, PreviewForm } from './forms.ts';
import type { Imports } from './imports.ts';
import { knownServers } from './known-servers.ts';
import { SourceFailure } from './model/source-failure.ts';
import type { Done, StoredImport } from './model/stored-imports.ts';
import { type AddedImport, type ImportList, ImportsQuery } from './operations.ts';

type Needs = Pick<Ports, 'clock' | 'store'> & {
  heavyTurn: HeavyTurn;
  identify: Identify;
  imports: Imports;
  isAdministrator: IsAdministrator;
  permissionsOf: PermissionsOf;
  readLargeBody: ReadLargeBody;
};

/** A document of 16 MiB, written as a text of JSON. */
const BODY_BYTES = 34 * 1024 * 1024;
/** Each asks a server that the person has chosen. */
const ASKING_AT_ONCE = 4;
const NAME = /^[a-z0-9_]{1,64}$/;

export function createImportRoutes({
  clock,
  heavyTurn,
  identify,
  imports,
  isAdministrator,
  permissionsOf,
  readLargeBody,
  store,
}: Needs): Hono<PortalEnv> {
  const asking = createCallCounts({
    config: { PERSON_MAX_CALLS: ASKING_AT_ONCE, PERSON_CALLS_PER_MINUTE: undefined },
    clock,
  });
  const app = new Hono<PortalEnv>();
  const signedIn = requirePortalUser(identify);

  const isAdmin = async (c: Context<PortalEnv>): Promise<boolean> =>
    isAdministrator(await loadUser(c, { store }));

  async function requireAdmin(c: Context<PortalEnv>): Promise<void> {
    if (!(await isAdmin(c)))
      throw new HttpError(403, { error: 'Only an administrator of this gateway changes what everyone has' });
  }

  async function requireImport(c: Context<PortalEnv>): Promise<StoredImport> {
    const stored = await imports.find(c.var.userId, c.req.param('name') ?? '');
    if (stored === null) throw new HttpError(404, { error: 'There is no import of this name' });
    return stored;
  }

  /** The source of an import may be asked again with a key: that accepts nothing. */
  async function requireOwned(c: Context<PortalEnv>): Promise<StoredImport> {
    const stored = await requireImport(c);
    if (stored.record.owner === EVERYONE) await requireAdmin(c);
    return stored;
  }

  /**
   * An agent may hold the personal key. Where there are rules, what an import is decides what they block: another header,
   * another name or another access level would be a way around them.
   */
  async function requireChoice(c: Context<PortalEnv>): Promise<void> {
    const { userId, actor } = c.var;
    if (actor.id === SESSION.id || (await permissionsOf({ userId, actor })).isOpen) return;
    throw new HttpError(403, {
      error:
        'There are rules for what agents may do, so only a person who is signed in to the portal adds, changes and deletes imports. Sign in there to do it',
    });
  }

  /** What everyone has is decided like the rules for everyone: by an administrator in the portal. */
  async function requireChoiceForEveryone(c: Context<PortalEnv>): Promise<void> {
    await requireAdmin(c);
    if (c.var.actor.id === SESSION.id) return;
    throw new HttpError(403, {
      error:
        'Only an administrator who is signed in to the portal changes what everyone has. Sign in there to do it',
    });
  }

  async function requireEditable(c: Context<PortalEnv>): Promise<StoredImport> {
    const stored = await requireImport(c);
    await (stored.record.owner === EVERYONE ? requireChoiceForEveryone(c) : requireChoice(c));
    return stored;
  }

  /** Runs what asks a source, a few at a time for each person. */
  async function askSource<T>(c: Context<PortalEnv>, work: () => Promise<T>): Promise<T> {
    const { userId } = c.var;
    const over = asking.begin(userId);
    if (over !== undefined)
      throw new HttpError(
        429,
        { error: `You are asking ${ASKING_AT_ONCE} sources already. Try again when one has answered` },
        { 'Retry-After': String(over.retryAfterSeconds) },
      );
    try {
      return await work();
    } catch (error) {
      if (error instanceof SourceFailure)
        throw new HttpError(error.status, { error: error.message }, error.status === 503 ? RETRY_LATER : {});
      throw error;
    } finally {
      asking.end(userId);
    }
  }

  /** A document takes a tenth of a second. Others get a turn before and after. */
  async function parseLarge(userId: string, text: string): Promise<unknown> {
    if (text.length < HEAVY_TEXT) return parseJson(text);
    await heavyTurn(userId);
    const value = parseJson(text);
    await clock.turn();
    return value;
  }

  // Logos are public: pages show them in an <img>, which sends no credential. The drawing says nothing but the name.
  app.get('/api/imports/logos/:name', (c) => {
    const name = c.req.param('name');
    if (!NAME.test(name)) throw new HttpError(404, { error: 'No logo' });
    return sendLogo(c, drawLogo(name));
  });

  app.get('/api/imports/catalogue', signedIn, (c) => c.json({ servers: knownServers() }));

  app.post('/api/imports/preview', signedIn, (c) =>
    readLargeBody(
      c,
      c.var.userId,
      async (text, lease) => {
        const form = PreviewForm.safeParse(await parseLarge(c.var.userId, text));
        if (!form.success) throw badRequest(describeIssues(form.error));
        const { found, ...pinned } = await askSource(c, () => imports.preview(form.data, lease));
        return c.json(showPreview(found, pinned));
      },
      BODY_BYTES,
    ),
  );

  app.post('/api/imports', signedIn, (c) =>
    readLargeBody(
      c,
      c.var.userId,
      async (text, lease) => {
        const form = ImportForm.safeParse(await parseLarge(c.var.userId, text));
        if (!form.success) throw badRequest(describeIssues(form.error));
        await (form.data.for === 'everyone' ? requireChoiceForEveryone(c) : requireChoice(c));
        const added = unwrap(await askSource(c, () => imports.add(c.var.userId, form.data, lease)));
        const shown = await showImport(clock, added.stored, true);
        const { found, warnings } = added;
        return c.json({ ...shown, ...showSearch(found), warnings: [...warnings] } satisfies AddedImport, 201);
      },
      BODY_BYTES,
    ),
  );

  app.get('/api/imports', signedIn, validQuery(ImportsQuery), async (c) => {
    const list = await imports.list(c.var.userId);
    const forEveryone = await isAdmin(c);
    const shown: ImportList['imports'] = [];
    for (const stored of list) {
      const entry = await showImport(clock, stored, stored.record.owner !== EVERYONE || forEveryone);
      if (c.req.valid('query').tools === 'blocked') entry.tools = entry.tools.filter((tool) => tool.blocked);
      shown.push(entry);
    }
    return c.json({ imports: shown, forEveryone } satisfies ImportList);
  });

  app.get('/api/imports/:name', signedIn, async (c) => {
    const stored = await requireImport(c);
    return c.json(await showImport(clock, stored, stored.record.owner !== EVERYONE || (await isAdmin(c))));
  });

  app.patch('/api/imports/:name', signedIn, async (c) => {
    const stored = await requireEditable(c);
    const form = ImportPatch.safeParse(await readJsonBody(c));
    if (!form.success) throw badRequest(describeIssues(form.error));
    return c.json(await showImport(clock, unwrap(await imports.change(stored, form.data)), true));
  });

  app.delete('/api/imports/:name', signedIn, async (c) => {
    await imports.remove(c.var.userId, await requireEditable(c));
    return c.json({ success: true } satisfies Success);
  });

  app.post('/api/imports/:name/check', signedIn, async (c) => {
    const stored = await requireOwned(c);
    const checked = unwrap(await askSource(c, () => imports.check(c.var.userId, stored)));
    return c.json(showChanges(checked.stored, checked.warnings));
  });

  app.get('/api/imports/:name/changes', signedIn, async (c) => {
    const stored = await requireImport(c);
    return c.json(showChanges(stored, imports.warningsOf(stored)));
  });

  app.post('/api/imports/:name/accept', signedIn, async (c) => {
    const stored = await requireEditable(c);
    const form = AcceptForm.safeParse(await readJsonBody(c));
    if (!form.success) throw badRequest('Give the names of tools as {"tools": […]}, or {"all": true}');
    const names = 'all' in form.data ? 'all' : form.data.tools;
    const accepted = await imports.accept(stored, names, form.data.version);
    return c.json(await showImport(clock, unwrap(accepted), true));
  });

  return app;
}

function unwrap<T>(done: Done<T>): T {
  if (!done.ok) throw new HttpError(done.status, { error: done.message });
  return done.value;
}

function badRequest(error: string): HttpError {
  return new HttpError(400, { error });
}
