// Lists the tools of a stored MCP server again, as the person who asks or as nobody.
import type { Ports } from '../../ports/ports.ts';
import type { ImportRecord } from '../../ports/records.ts';
import { blocksOf, fieldsOf } from '../model/auth-blocks.ts';
import type { Asked, FindAsker, Listing, Source, Stored } from '../model/source.ts';
import { SourceFailure, toSourceFailure } from '../model/source-failure.ts';
import { rememberScopesOfListing } from '../oauth/step-up.ts';
import { InsufficientScope, type McpClients, Unauthorized } from './client.ts';
import { listAsNobody, type ListAsNobodyNeeds } from './list-as-nobody.ts';

export type ListAgainNeeds = ListAsNobodyNeeds & Pick<Ports, 'store'> & { mcp: McpClients };

const CONNECT_FIRST = 'Connect it first: its tools can be seen only then';

export function createListAgain(deps: ListAgainNeeds): Source['read'] {
  const { mcp, reach } = deps;

  async function listAsPerson({ address, record }: Server, findAsker: FindAsker): Promise<Asked<Listing>> {
    const found = await findAsker();
    if (!found.ok) return found;
    const { integration, row, userId } = found.value;
    const reached = reach.asPerson({ integration, address }, userId, row);
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

  async function listWithoutPerson({ address, record, settings: { auth } }: Server): Promise<Asked<Listing>> {
    if (fieldsOf(auth).length > 0) return { ok: false, message: CONNECT_FIRST };
    // Only the operator's servers are asked as nobody, and their headers may hold a secret of the operator.
    const blocks = blocksOf(auth, { address, isOperators: true });
    const headers = blocks.ok ? blocks.api.headers : {};
    try {
      return { ok: true, value: await listAsNobody(deps, address, headers, record.id) };
    } catch (error) {
      if (error instanceof Unauthorized) return { ok: false, message: CONNECT_FIRST };
      if (error instanceof InsufficientScope) throw new SourceFailure(502, needsCredential(record));
      throw toSourceFailure(error);
    }
  }

  return async function listAgain({ record, settings }, findAsker) {
    const server = { record, settings, address: record.address ?? '' };
    return findAsker === null ? listWithoutPerson(server) : listAsPerson(server, findAsker);
  };
}

type Server = Stored & { address: string };

/** The sentence for an import whose server wants more permission, and that nobody connects. */
const needsCredential = ({ created_by, name }: ImportRecord): string =>
  created_by === ''
    ? `${name} asks for more permission. The operator of this gateway can change its credential in MCP_SERVERS`
    : `${name} wants people to sign in now. Delete this import and add it again`;
