// Lists well-known remote MCP servers. decision: 041
import { codeServers } from './known/code.ts';
import { hostingServers } from './known/hosting.ts';
import { workServers } from './known/work.ts';
import type { CatalogueServer } from './operations.ts';

export const knownServers = (): CatalogueServer[] =>
  [...codeServers, ...hostingServers, ...workServers]
    .map((server) => ({ ...server, logo: `/api/imports/logos/${server.name}` }))
    .toSorted((one, other) => one.displayName.localeCompare(other.displayName, 'en'));
