// Finds out what an address speaks that was taken for an MCP server, because all that it said was that it wants a credential.
import type { Integration } from '../kit/integration.ts';
import type { Connection } from '../ports/records.ts';
import type { Reach, SendUpstream } from './model/reach.ts';

/** Says what the service is, and what to do; null for neither. */
export type FindOtherKind = (
  integration: Integration,
  address: string,
  userId: string,
  row: Connection,
) => Promise<string | null>;

const GRAPHQL = 'It is a GraphQL endpoint: delete the import and add it again with the kind graphql';
const OPENAPI =
  'It is an OpenAPI description for people with a credential: delete the import, download the description and add that';

const TIMEOUT_MS = 10_000;
const START_CHARACTERS = 64 * 1024;
/** A description says its version near its beginning, in JSON or YAML. */
const DESCRIPTION = /(?:^|[{,\n])\s*["']?(?:openapi|swagger)["']?\s*:\s*["']?[23]\.\d/;

export function createFindOtherKind({ reach }: { reach: Pick<Reach, 'asPerson'> }): FindOtherKind {
  /** Whether the address answers a query. An answer that only refuses proves nothing. */
  async function speaksGraphql(address: string, send: SendUpstream): Promise<boolean> {
    const { readGraphql } = await import('./graphql/read.ts');
    return (await readGraphql(address, send))?.auth.type === 'none';
  }

  async function isDescription(address: string, send: SendUpstream): Promise<boolean> {
    const response = await send(new URL(address), {
      method: 'GET',
      headers: { accept: 'application/json, application/yaml;q=0.9, */*;q=0.5' },
    });
    return response.ok && DESCRIPTION.test((await response.text()).slice(0, START_CHARACTERS));
  }

  return async function findOtherKind(integration, address, userId, row) {
    // The credential goes to the origin of the import only.
    const reached = reach.asPerson({ integration, address }, userId, row);
    const send: SendUpstream = (url, init) => reached.send(url, { ...init, timeoutMs: TIMEOUT_MS });
    try {
      if (await speaksGraphql(address, send)) return GRAPHQL;
      return (await isDescription(address, send)) ? OPENAPI : null;
    } catch {
      // The listing that failed says why the service cannot be asked.
      return null;
    }
  };
}
