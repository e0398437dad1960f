// Lists well-known remote MCP servers.
import type { CatalogueServer } from './operations.ts';

export const knownServers = (): CatalogueServer[] => [];
