// Changes a stored import: what it includes, how it is connected, and which definitions are accepted.
import { type Disconnects, outliveSecond } from '../connections/model/disconnects.ts';
import type { Access } from '../kit/integration.ts';
import type { Registries } from '../kit/registries.ts';
import { mapInTurns } from '../memory/map-in-turns.ts';
import type { Ports } from '../ports/ports.ts';
import type { Connection } from '../ports/records.ts';
import { EVERYONE } from '../ports/store.ts';
import type { McpClients } from './mcp/client.ts';
import { atKnownEndpoints, authMistake, headersMistake } from './model/auth-blocks.ts';
import { isNamed, resolveChoices } from './model/selection.ts';
import type { Settings } from './model/settings.ts';
import type { ImportAuth } from './model/source-description.ts';
import {
  type Done,
  refuse,
  type StoredImport,
  type StoredImports,
  UNREADABLE,
} from './model/stored-imports.ts';
import { clientsKeyOf } from './oauth/registrations.ts';
import { acceptTools } from './pinned/compare.ts';
import { readDefinition, readFirst } from './pinned/definition.ts';
import type { Sources } from './sources.ts';

export interface ImportChanges {
  displayName?: string | undefined;
  include?: readonly string[] | null | undefined;
  exclude?: readonly string[] | undefined;
  access?: Readonly<Record<string, Access>> | undefined;
  auth?: ImportAuth | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  /** Null sets the default again. */
  timeoutSec?: number | null | undefined;
}

export interface ChangeImport {
  change(stored: StoredImport, changes: ImportChanges): Promise<Done<StoredImport>>;
  /** `seen` is the version of what the person has looked at. */
  accept(
    stored: StoredImport,
    names: readonly string[] | 'all',
    seen: string | undefined,
  ): Promise<Done<StoredImport>>;
  /** Revokes the grants of the person and of the team first. */
  remove(userId: string, stored: StoredImport): Promise<void>;
}

const CONNECTIONS_AT_ONCE = 100;

type Needs = Pick<Ports, 'clock' | 'store'> & {
  disconnects: Disconnects;
  mcp: Pick<McpClients, 'end'>;
  registries: Registries;
  sources: Sources;
  storedImports: StoredImports;
};

export function createChangeImport(deps: Needs): ChangeImport {
  const { clock, disconnects, mcp, registries, sources, store, storedImports } = deps;

  /** Deletes the connections, because their credentials do not fit the new way to connect. */
  async function endConnections({ record }: StoredImport): Promise<void> {
    if (record.owner !== EVERYONE) await deleteAll(await store.connections.of(record.owner, record.name));
    else
      for (;;) {
        const rows = await store.connections.due([record.name], Number.MAX_SAFE_INTEGER, CONNECTIONS_AT_ONCE);
        if (rows.length === 0) break;
        await deleteAll(rows);
      }
    await mcp.end(`${record.id} `);
  }

  async function deleteAll(rows: readonly Connection[]): Promise<void> {
    await outliveSecond(clock, rows);
    for (const row of rows) await store.connections.delete(row.user_id, row.integration, row.account);
  }

  return {
    async change(stored, { displayName, auth: wanted, headers, timeoutSec, ...given }) {
      const { record, rows, settings } = stored;
      if (settings === null) return refuse(409, UNREADABLE);
      if (wanted !== undefined && record.created_by === '')
        return refuse(409, "The operator's file says how this server is connected. Change it there");
      const auth = wanted && atKnownEndpoints(wanted, [settings.auth]);
      const wrong = (auth && authMistake(auth)) ?? (headers && headersMistake(headers)) ?? null;
      if (wrong !== null) return refuse(400, wrong);
      const { whyNoHeaders } = sources.of(record, readFirst(rows));
      if (headers !== undefined && whyNoHeaders !== null) return refuse(400, whyNoHeaders);
      const tools = (await mapInTurns(clock, rows, readDefinition)).filter((tool) => tool !== null);
      const named = new Set(given.include);
      const again = new Set(tools.filter((tool) => isNamed(tool, named)).map(({ source }) => source));
      const { choice, unknown } = resolveChoices(
        {
          include: given.include === undefined ? settings.include : given.include,
          // Naming a tool includes it again, even if it was left out because it is deprecated.
          exclude: given.exclude ?? settings.exclude.filter((text) => !named.has(text) && !again.has(text)),
          access: given.access ?? settings.access,
        },
        tools,
      );
      const asked = new Set([
        ...(given.include ?? []),
        ...(given.exclude ?? []),
        ...Object.keys(given.access ?? {}),
      ]);
      // The stored choices may name tools that the source no longer has.
      for (const text of [...(settings.include ?? []), ...settings.exclude, ...Object.keys(settings.access)])
        asked.delete(text);
      const misspelt = settings.isListed ? unknown.filter((text) => asked.has(text)) : [];
      if (misspelt.length > 0)
        return refuse(400, `The import has no tool or tag named ${misspelt.slice(0, 3).join(', ')}`);
      const next: Settings = {
        ...settings,
        ...choice,
        ...(auth === undefined ? {} : { auth }),
        ...(headers === undefined ? {} : { headers: { ...headers } }),
        ...(timeoutSec === undefined ? {} : { timeoutSec: timeoutSec ?? undefined }),
      };
      const saved = await storedImports.save(stored, {
        record: {
          updated_at: clock.now(),
          ...(displayName === undefined ? {} : { display_name: displayName }),
        },
        settings: next,
      });
      if (saved.ok && auth !== undefined) await endConnections(saved.value);
      return saved;
    },

    async accept(stored, names, seen) {
      if (seen !== undefined && seen !== stored.record.version)
        return refuse(409, 'The import has changed since you looked at it. Look at the changes again');
      const known = new Set(stored.rows.map(({ name }) => name));
      const wrong = names === 'all' ? [] : names.filter((name) => !known.has(name));
      if (wrong.length > 0)
        return refuse(400, `The import has no tool named ${wrong.slice(0, 3).join(', ')}`);
      const tools = acceptTools(stored.rows, names);
      return storedImports.save(stored, { record: { updated_at: clock.now() }, tools });
    },

    async remove(userId, { record }) {
      const integration = await registries.integration(userId, record.name);
      // This is the only attempt: a later one needs the import, and drops the revocation when the import is gone.
      if (integration?.imported?.id === record.id && integration.auth.type !== 'none')
        for (const owner of record.owner === EVERYONE ? [EVERYONE, userId] : [userId])
          await disconnects.revoke(owner, integration);
      await store.imports.delete(record);
      if (record.owner === EVERYONE) await store.team.withdraw(record.name);
      await store.providerClients.delete(clientsKeyOf(record.id));
      await mcp.end(`${record.id} `);
    },
  };
}
