// Keeps files of tools in memory, for tests that run a tool without the engine.
import { createHash } from 'node:crypto';
import type { FileContent, ToolFiles } from '../../src/kit/files.ts';

export function createMemoryFiles(): ToolFiles & { kept: Map<string, FileContent> } {
  const kept = new Map<string, FileContent>();
  return {
    kept,
    async read(reference) {
      const found = kept.get(reference.replace(/^file:/, ''));
      if (found === undefined) throw new Error(`no file ${reference}`);
      return found;
    },
    async save(file) {
      const handle = `f-0-0-${String(kept.size).padStart(32, '0')}`;
      kept.set(handle, file);
      const { bytes, name, mimeType } = file;
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      return { handle, name, mimeType, bytes: bytes.length, sha256, url: `https://gateway.test/f/${handle}` };
    },
  };
}
