// Pins the tools of a source under names that no built-in tool has.
import type { Registry } from '../kit/registry.ts';
import type { Ports } from '../ports/ports.ts';
import { type Pinned, pinTools } from './pinned/pin.ts';
import type { SourceTool } from './source.ts';

/** Throws a SourceFailure when there is more than an import may have. `origin` is where the calls go. */
export type Pin = (
  importName: string,
  tools: readonly SourceTool[],
  origin: string,
) => { pinned: readonly Pinned[]; warnings: readonly string[] };

export function createPin({
  digest,
  builtIn,
}: Pick<Ports, 'digest'> & { builtIn: Pick<Registry, 'tool'> }): Pin {
  const isTaken = (name: string): boolean => builtIn.tool(name) !== null;
  return (importName, tools, origin) =>
    pinTools(importName, tools, { origin, isTaken, sha256: (text) => digest.sha256(text) });
}
