// Asks the source of a stored import for its tools, with the connection of the person who asks.
import type { Connected } from '../connections/model/connected.ts';
import type { Registries } from '../kit/registries.ts';
import type { ImportRecord, ImportToolRecord } from '../ports/records.ts';
import type { Asked, FindAsker, Listing, Stored } from './model/source.ts';
import { SourceFailure } from './model/source-failure.ts';
import { readFirst } from './pinned/definition.ts';
import type { Sources } from './sources.ts';

/** `asker` is the person whose credential is used. Null where none is needed. */
export type Ask = (
  stored: Stored & { rows: readonly ImportToolRecord[] },
  asker: string | null,
) => Promise<Asked<Listing>>;

type Needs = { connected: Connected; registries: Registries; sources: Sources };

export function createAsk({ connected, registries, sources }: Needs): Ask {
  async function findAsker({ id, name }: ImportRecord, userId: string): ReturnType<FindAsker> {
    const integration = await registries.integration(userId, name);
    if (integration?.imported?.id !== id) return { ok: false, message: 'This import is gone' };
    const found = await connected.find(userId, integration, { access: 'read' });
    const row = found.kind === 'connected' ? found.connection : null;
    if (row === null && integration.auth.type !== 'none')
      return {
        ok: false,
        message: `Connect ${integration.displayName} first: its tools can be seen only then`,
      };
    return { ok: true, value: { userId, integration, row } };
  }

  /** Says what else the service is, where nobody has ever listed it: it was taken for MCP without an answer that says so. */
  async function sayOtherKind({ record, settings }: Stored, asker: string, failure: SourceFailure) {
    const { address, kind, created_by } = record;
    if (kind !== 'mcp' || settings.isListed || address === null || created_by === '') return failure;
    const found = await findAsker(record, asker);
    if (!found.ok || found.value.row === null) return failure;
    const { integration, row } = found.value;
    const other = await sources.findOtherKind(integration, address, asker, row);
    if (other === null) return failure;
    return new SourceFailure(failure.status, `This is no MCP server. ${other}`, { cause: failure });
  }

  return async function ask({ record, rows, settings }, asker) {
    const source = sources.of(record, readFirst(rows));
    try {
      return await source.read({ record, settings }, asker === null ? null : () => findAsker(record, asker));
    } catch (error) {
      if (asker === null || !(error instanceof SourceFailure)) throw error;
      throw await sayOtherKind({ record, settings }, asker, error);
    }
  };
}
