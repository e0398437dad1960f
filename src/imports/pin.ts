// Pins the tools of a source under names that no tool of the gateway has.
import { META_TOOL_NAMES } from '../kit/meta-tool-names.ts';
import type { Registry } from '../kit/registry.ts';
import type { Ports } from '../ports/ports.ts';
import type { ImportToolRecord } from '../ports/records.ts';
import type { SourceDescription, SourceTool } from './model/source-description.ts';
import { parseDefinition, readDefinition } from './pinned/definition.ts';
import { MAX_WARNINGS, nameSources, type PinnedTools, pinTools, tellOf } from './pinned/pin.ts';
import { createSuspicions, textsIn } from './pinned/suspicions.ts';

/** What the owner of an import has beside the tools that are pinned now. */
export interface Beside {
  /** Whether another import that the owner sees has a tool of this name. */
  isTaken: (name: string) => boolean;
  /** The names that the tools of this import have had so far. */
  known: ReadonlySet<string>;
}

export interface Pin {
  /** Throws a SourceFailure when there is more than an import may have. `origin` is where the calls go. */
  tools(
    importName: string,
    tools: readonly SourceTool[],
    origin: string,
    beside?: Beside,
  ): Promise<PinnedTools>;
  /** Returns warnings about what a source says of itself. */
  judge(source: Pick<SourceDescription, 'displayName' | 'description'>): string[];
  /** Returns warnings about the definitions that wait for a decision. */
  judgeWaiting(rows: readonly ImportToolRecord[]): string[];
  /** Returns the source's names by the names that an import of this name would give them. */
  names(importName: string, tools: readonly SourceTool[]): Promise<ReadonlyMap<string, string>>;
}

export function createPin({
  clock,
  digest,
  builtIn,
}: Pick<Ports, 'clock' | 'digest'> & { builtIn: Pick<Registry, 'tool'> }): Pin {
  const own = new Set(META_TOOL_NAMES);
  const options = {
    clock,
    isTaken: (name: string): boolean => own.has(name) || builtIn.tool(name) !== null,
    sha256: (text: string) => digest.sha256(text),
  };
  return {
    tools: (importName, tools, origin, beside) =>
      pinTools(importName, tools, {
        ...options,
        ...beside,
        isTaken: (name) => options.isTaken(name) || beside?.isTaken(name) === true,
        origin,
      }),
    judge({ displayName, description }) {
      const suspicions = createSuspicions(options.isTaken);
      return [
        ...suspicions.find([displayName]).map((says) => `The title of this source ${says}.`),
        ...suspicions.find([description]).map((says) => `The description of this source ${says}.`),
      ];
    },
    judgeWaiting(rows) {
      const sources = new Set(rows.flatMap((row) => readDefinition(row)?.source ?? []));
      const suspicions = createSuspicions((word) => options.isTaken(word) && !sources.has(word));
      return rows
        .filter(({ state }) => state === 'new' || state === 'changed')
        .flatMap(({ found }) => (found === null ? [] : (parseDefinition(found) ?? [])))
        .flatMap(({ source, title = '', description, inputSchema }) =>
          suspicions.find(textsIn([title, description, inputSchema])).map((says) => tellOf(source, says)),
        )
        .slice(0, MAX_WARNINGS);
    },
    names: (importName, tools) => nameSources(importName, tools, options),
  };
}
