// Writes the addresses of a set: its page, and its MCP server.
import type { ShownSet } from '../../api/sets.ts';

export const addressOfSet = ({ name, for: whose }: Pick<ShownSet, 'name' | 'for'>): string =>
  `/sets/${encodeURIComponent(name)}${whose === 'everyone' ? '?for=everyone' : ''}`;
