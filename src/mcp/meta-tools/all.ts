// Lists the nine meta-tools in the order that clients see. decision: 031
import type { MetaTool } from '../../kit/integration.ts';
import { connectTools } from './connect.ts';
import type { MetaNeeds } from './context.ts';
import { curlSession } from './curl-session.ts';
import { executeTools } from './execute-tools.ts';
import { getToolSchema } from './get-tool-schema.ts';
import { listIntegrations } from './list-integrations.ts';
import { readResult } from './read-result.ts';
import { searchTools } from './search-tools.ts';
import { waitForConnection } from './wait-for-connection.ts';

export function createMetaTools(needs: MetaNeeds): MetaTool[] {
  return [
    listIntegrations(needs),
    searchTools(needs),
    getToolSchema(needs),
    executeTools(needs),
    ...connectTools(needs),
    waitForConnection(needs),
    curlSession(needs),
    readResult(needs),
  ];
}
