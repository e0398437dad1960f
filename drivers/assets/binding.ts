// Serves the built portal from the platform's asset binding. The binding's type is declared here, so no
// Workers package is needed.
import type { Assets } from '../../src/ports/assets.ts';

export interface AssetsBinding {
  fetch(request: Request): Promise<Response>;
}

// The binding looks only at the path.
const ORIGIN = 'http://assets.invalid';

export function createBoundAssets(binding: AssetsBinding): Assets {
  return {
    async get(path) {
      const response = await binding.fetch(new Request(new URL(path, `${ORIGIN}/`)));
      // Anything but 200 is a redirect to another address or a missing file.
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
