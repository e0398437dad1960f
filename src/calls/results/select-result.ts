// Chooses the part of a result that the caller asked for, and lets others run in between. reference: Execution rules
import { type Select, SelectError } from '../../json/select.ts';
import { isObject } from '../../json/json.ts';
import { WORK_PER_TURN } from '../../json/limits.ts';
import { truncate } from '../../json/truncate.ts';
import type { Tool } from '../../kit/integration.ts';
import type { Lease } from '../../memory/budget.ts';
import type { HeavyTurn } from '../../memory/heavy-turns.ts';
import { createFairQueue } from '../../memory/fair-queue.ts';

type Selected =
  | { kind: 'success'; result: unknown; hint?: string }
  | { kind: 'select-failed'; message: string; result?: unknown };

export type SelectFrom = (
  result: unknown,
  select: Select,
  tool: Pick<Tool, 'access'>,
  lease: Lease | undefined,
) => Promise<Selected>;

/** Expressions run one after another. After some work the next one waits for a turn of the event loop. */
export function createSelectFrom({ heavyTurn }: { heavyTurn: HeavyTurn }): SelectFrom {
  const oneByOne = createFairQueue({ maxRunning: 1, maxWaitingPerOwner: Infinity });
  let work = 0;

  /** The result of a tool that changes something is never lost. */
  function apply(
    result: unknown,
    select: Select,
    access: Tool['access'],
    lease: Lease | undefined,
  ): Selected {
    try {
      const { value, characters, units } = select(result);
      work += units;
      lease?.charge(characters);
      const isEmpty = value === null || (Array.isArray(value) && value.length === 0);
      const hint = isEmpty ? describeShape(result) : null;
      return hint === null
        ? { kind: 'success', result: value }
        : { kind: 'success', result: value, hint: `select found nothing: ${hint}` };
    } catch (error) {
      if (!(error instanceof SelectError)) throw error;
      // The expression may have used up its work before it failed.
      work += WORK_PER_TURN;
      const message = truncate(error.message);
      return { kind: 'select-failed', message, ...(access === 'read' ? {} : { result }) };
    }
  }

  return (result, select, { access }, lease) =>
    oneByOne.run(lease?.userId ?? '', async () => {
      if (work >= WORK_PER_TURN) {
        work = 0;
        await heavyTurn(lease?.userId ?? '');
      }
      return apply(result, select, access, lease);
    });
}

const MAX_SHOWN_KEYS = 30;

/** Says what a result is, so that the next expression fits. Returns null for a result without anything in it. */
function describeShape(result: unknown): string | null {
  if (Array.isArray(result)) {
    const [first] = result;
    if (first === undefined) return null;
    return isObject(first)
      ? `the result is a list of objects with ${describeKeys(first)}`
      : `the result is a list of ${typeof first}s`;
  }
  if (isObject(result))
    return Object.keys(result).length === 0 ? null : `the result is an object with ${describeKeys(result)}`;
  return result === null || result === '' ? null : `the result is a ${typeof result}`;
}

function describeKeys(value: object): string {
  const keys = Object.keys(value);
  const shown = keys.slice(0, MAX_SHOWN_KEYS).map((key) => truncate(key.slice(0, 100)));
  return shown.join(', ') + (keys.length > shown.length ? ' …' : '');
}
