// Makes jots that the gateway does not have, for pages whose requests a test answers itself.
import type { Jot } from '../../portal/api/jots.ts';

export function pretendJot(name: string): Jot {
  return {
    name,
    url: `http://localhost/j/${name}/`,
    access: 'public',
    cors: false,
    files: 1,
    bytes: 1,
    updatedAt: 1,
    views: { total: 1, recent: 1 },
    thumbnail: null,
  };
}
