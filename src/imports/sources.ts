// Makes the source of each language, and finds the one that an import speaks.
import type { Config } from '../config/config.ts';
import type { OpenUpstream } from '../connections/calls/upstream.ts';
import type { TokenSource } from '../connections/oauth/tokens.ts';
import type { Egress } from '../egress/door.ts';
import type { MemoryBudget } from '../memory/budget.ts';
import type { HeavyTurn } from '../memory/heavy-turns.ts';
import type { Ports } from '../ports/ports.ts';
import type { ImportRecord } from '../ports/records.ts';
import { createFindSource, type FindSource } from './find-source.ts';
import { isGraphql } from './graphql/recipe.ts';
import { createGraphqlSource } from './graphql/source.ts';
import type { McpClients } from './mcp/client.ts';
import { createMcpSource } from './mcp/source.ts';
import type { CalledTool, Source } from './model/source.ts';
import { createLookForSignIn } from './oauth/look-for-sign-in.ts';
import { createOpenApiSource } from './openapi/source.ts';
import { createFindOtherKind, type FindOtherKind } from './other-kinds.ts';
import { createReach } from './reach.ts';

export interface Sources {
  find: FindSource;
  /** Asks with the credential of a person whether an address that speaks no MCP speaks something else. */
  findOtherKind: FindOtherKind;
  /** Returns the source of an import. Any of its tools tells GraphQL from OpenAPI, which are stored as one kind. */
  of(record: Pick<ImportRecord, 'kind'>, tool: Pick<CalledTool, 'operation'> | null | undefined): Source;
}

type Needs = Pick<Ports, 'clock' | 'digest' | 'random' | 'store'> & {
  config: Pick<Config, 'SERVER_PUBLIC_URL' | 'loopback'>;
  egress: Egress;
  heavyTurn: HeavyTurn;
  isIsolated?: boolean | undefined;
  mcp: McpClients;
  memoryBudget: MemoryBudget;
  openUpstream: OpenUpstream;
  tokens: TokenSource;
};

export function createSources(given: Needs): Sources {
  const deps = { ...given, lookForSignIn: createLookForSignIn(given), reach: createReach(given) };

  const createRead =
    (knownGraphql: boolean): Source['read'] =>
    async ({ record, settings }) => {
      const { base, include, naming } = settings;
      const { address, name, owner } = record;
      if (address === null)
        return {
          ok: false,
          message: 'The description was uploaded. Delete the import and upload the new one',
        };
      const lease = given.memoryBudget.open(owner);
      try {
        return {
          ok: true,
          value: await find(
            {
              address,
              kind: 'openapi',
              base,
              include,
              name,
              naming: naming ?? 1,
              isGraphql: knownGraphql,
              isStored: true,
            },
            lease,
          ),
        };
      } finally {
        lease.close();
      }
    };

  const mcp = createMcpSource(deps);
  const openapi = createOpenApiSource({ ...deps, readService: createRead(false) });
  const graphql = createGraphqlSource({ ...deps, readService: createRead(true) });
  const find = createFindSource({ ...deps, sources: { mcp, openapi, graphql } });

  return {
    find,
    findOtherKind: createFindOtherKind(deps),
    of({ kind }, tool) {
      if (kind === 'mcp') return mcp;
      return tool?.operation !== undefined && isGraphql(tool.operation) ? graphql : openapi;
    },
  };
}
