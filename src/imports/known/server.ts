// Says what a known MCP server is.
import type { CatalogueServer } from '../operations.ts';

/** An entry of the catalogue without its logo, which follows from its name. */
export type KnownServer = Omit<CatalogueServer, 'logo'>;
