// Decides which services get the headers of a trace. None does, unless the operator asks for it.
import type { Config } from '../config/config.ts';

interface Named {
  name: string;
  imported?: unknown;
}

/** `imported` in the list names everything that people have added. */
export function createIsTracedFurther({
  TRACE_UPSTREAM: list,
}: Pick<Config, 'TRACE_UPSTREAM'>): (integration: Named) => boolean {
  return ({ name, imported }) => list === 'all' || list.includes(imported === undefined ? name : 'imported');
}
