// Makes the addresses of the pages of scripts and runs.
import type { ShownScript } from '../../api/scripts.ts';

export const addressOfScript = ({ name, for: whose }: Pick<ShownScript, 'name' | 'for'>): string =>
  `/scripts/${encodeURIComponent(name)}${whose === 'everyone' ? '?for=everyone' : ''}`;

export const addressOfRun = (id: string): string => `/scripts/runs/${encodeURIComponent(id)}`;
