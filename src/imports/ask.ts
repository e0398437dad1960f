// Asks the source of a stored import for its tools.
import type { Ports } from '../ports/ports.ts';
import type { ImportRecord } from '../ports/records.ts';
import type { Registries } from '../kit/registries.ts';
import type { Connected } from '../connections/connected.ts';
import { blocksOf, fieldsOf } from './auth-blocks.ts';
import { type FindSource, toSourceFailure } from './find-source.ts';
import { listAsNobody } from './list-as-nobody.ts';
import { InsufficientScope, type McpClients, Unauthorized } from './mcp/client.ts';
import { rememberScopesOfListing } from './oauth/step-up.ts';
import type { Reach } from './reach.ts';
import type { Settings } from './settings.ts';
import { SourceFailure, type SourceTool } from './source.ts';

export interface Listing {
  tools: readonly SourceTool[];
  warnings: readonly string[];
}

export type Asked = { ok: true; value: Listing } | { ok: false; message: string };

/** `asker` is the person whose credential is used. Null where none is needed. */
export type Ask = (record: ImportRecord, settings: Settings, asker: string | null) => Promise<Asked>;

type Needs = Pick<Ports, 'random' | 'store'> & {
  connected: Connected;
  findSource: FindSource;
  mcp: McpClients;
  reach: Reach;
  registries: Registries;
};

const CONNECT_FIRST = 'Connect it first: its tools can be seen only then';

export function createAsk(deps: Needs): Ask {
  const { connected, findSource, mcp, reach, registries } = deps;

  async function askServer(address: string, record: ImportRecord, asker: string): Promise<Asked> {
    const { name, id } = record;
    const integration = await registries.integration(asker, name);
    if (integration?.imported?.id !== id) return { ok: false, message: 'This import is gone' };
    const found = await connected.find(asker, integration, { access: 'read' });
    const row = found.kind === 'connected' ? found.connection : null;
    if (row === null && integration.auth.type !== 'none')
      return {
        ok: false,
        message: `Connect ${integration.displayName} first: its tools can be seen only then`,
      };
    const reached = reach.asPerson({ integration, address }, asker, row);
    try {
      return { ok: true, value: await mcp.list(reached) };
    } catch (error) {
      if (error instanceof Unauthorized)
        throw new SourceFailure(
          502,
          `${integration.displayName} did not accept the credential. Connect it again`,
        );
      if (error instanceof InsufficientScope) {
        const sentence =
          row === null
            ? needsCredential(record)
            : await rememberScopesOfListing(deps, row, integration, error.scopes);
        throw reached.redact(new SourceFailure(502, sentence, { cause: error }));
      }
      throw reached.redact(toSourceFailure(error));
    }
  }

  async function askAsNobody(address: string, record: ImportRecord, { auth }: Settings): Promise<Asked> {
    if (fieldsOf(auth).length > 0) return { ok: false, message: CONNECT_FIRST };
    // Only the operator's servers are asked as nobody, and their headers may hold a secret of the operator.
    const blocks = blocksOf(auth, { address, isOperators: true });
    const headers = blocks.ok ? blocks.api.headers : {};
    try {
      return { ok: true, value: await listAsNobody(deps, address, headers) };
    } catch (error) {
      if (error instanceof Unauthorized) return { ok: false, message: CONNECT_FIRST };
      if (error instanceof InsufficientScope) throw new SourceFailure(502, needsCredential(record));
      throw toSourceFailure(error);
    }
  }

  return async function ask(record, settings, asker) {
    const { address, kind, name } = record;
    if (address === null)
      return { ok: false, message: 'The description was uploaded. Delete the import and upload the new one' };
    if (kind === 'openapi')
      return {
        ok: true,
        value: await findSource({ address, kind, base: settings.base, include: settings.include, name }),
      };
    return asker === null ? askAsNobody(address, record, settings) : askServer(address, record, asker);
  };
}

/** The sentence for an import whose server wants more permission, and that nobody connects. */
const needsCredential = ({ created_by, display_name }: ImportRecord): string =>
  created_by === ''
    ? `${display_name} asks for more permission. The operator of this gateway can change its credential in MCP_SERVERS`
    : `${display_name} wants people to sign in now. Delete this import and add it again`;
