// Reads one execution of a batch as `{tool, args}`, also where it is written as MCP writes a call: `{name, arguments}`.
import { isObject } from '../json/json.ts';

/** Returns anything else as it is, so that its mistakes are named. */
export function readExecution<Item>(item: Item): Item | Record<string, unknown> {
  return isObject(item) ? rename(rename(item, 'name', 'tool'), 'arguments', 'args') : item;
}

/** Only a missing member takes the value of the other one. */
function rename(item: Record<string, unknown>, from: string, to: string): Record<string, unknown> {
  if (item[from] === undefined || item[to] !== undefined) return item;
  const { [from]: value, ...rest } = item;
  return { ...rest, [to]: value };
}
