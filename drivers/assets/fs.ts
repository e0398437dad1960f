// Serves the built portal from a folder. The folder is listed once, and only listed files are ever read.
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import type { Asset, Assets } from '../../src/ports/assets.ts';

const CONTENT_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

// Compresses each file once, when it is first requested.
const pack = promisify(zlib.gzip);

export function createFsAssets(root: string): Assets {
  let files: Set<string> | undefined;
  const loaded = new Map<string, Asset>();

  async function load(path: string): Promise<Asset> {
    const body = new Uint8Array(await readFile(join(root, path)));
    // Vectors hardly get smaller, and the gateway reads them once itself.
    const gzip = path.endsWith('.bin') ? body : new Uint8Array(await pack(body));
    return {
      body,
      ...(gzip.length < body.length ? { gzip } : {}),
      contentType: CONTENT_TYPES[extname(path)] ?? 'application/octet-stream',
      immutable: path.startsWith('assets/'),
    };
  }

  return {
    async get(path) {
      files ??= await list(root);
      if (!files.has(path)) return null;
      try {
        const asset = loaded.get(path) ?? (await load(path));
        loaded.set(path, asset);
        return asset;
      } catch (error) {
        if (!isMissing(error)) throw new Error(`[assets] cannot read ${path}`, { cause: error });
        // The portal was rebuilt in the meantime, so the cached listing is out of date.
        files = undefined;
        loaded.clear();
        return null;
      }
    },
  };
}

/** Lists every plain file below the root as a path joined with '/'. Skips symbolic links. */
async function list(root: string): Promise<Set<string>> {
  try {
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    return new Set(
      files.map((file) => relative(root, join(file.parentPath, file.name)).replaceAll(sep, '/')),
    );
  } catch (error) {
    if (isMissing(error)) return new Set();
    throw new Error(`[assets] cannot list ${root}`, { cause: error });
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
