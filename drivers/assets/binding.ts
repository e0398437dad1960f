// The built portal from the platform's own files, where they are a binding. Its type is ours.
import type { Assets } from '../../src/ports/assets.ts';

export interface AssetsBinding {
  fetch(request: Request): Promise<Response>;
}

// The binding looks at the path only.
const ORIGIN = 'http://assets.invalid';

export function createBoundAssets(binding: AssetsBinding): Assets {
  return {
    async get(path) {
      const response = await binding.fetch(new Request(new URL(path, `${ORIGIN}/`)));
      // Everything else is an address that it would send elsewhere.
      if (response.status !== 200) {
        await response.body?.cancel();
        return null;
      }
      return {
        body: new Uint8Array(await response.arrayBuffer()),
        contentType: response.headers.get('content-type') ?? 'application/octet-stream',
        immutable: path.startsWith('assets/'),
      };
    },
  };
}
