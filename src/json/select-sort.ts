// Replaces sort() and sort_by() of the JMESPath library, which decode both texts whole in each comparison. decision: 032
import type * as Library from '@jmespath-community/jmespath';
import { CHARACTERS_PER_UNIT, UNITS_PER_COMPARISON } from './limits.ts';

type Jmespath = typeof Library;
type Interpreter = Jmespath['TreeInterpreter'];
type Key = string | number;

export type ExpressionNode = ReturnType<Jmespath['compile']>;

export function isNode(value: unknown): value is ExpressionNode {
  return typeof value === 'object' && value !== null && 'type' in value;
}

/** The new functions spend what each comparison reads, so that a sort ends when its work is used up. */
export function replaceSorts(
  jmespath: Jmespath,
  interpreter: Interpreter,
  spend: (units: number) => void,
): void {
  const { TYPE_ARRAY, TYPE_ARRAY_NUMBER, TYPE_ARRAY_STRING, TYPE_EXPREF } = jmespath;
  const { runtime } = interpreter;

  function compare(left: Key, right: Key): number {
    spend(UNITS_PER_COMPARISON);
    if (typeof left === 'number' || typeof right === 'number') return Number(left) - Number(right);
    const same = commonLength(left, right);
    spend(same / CHARACTERS_PER_UNIT);
    if (same === left.length || same === right.length) return left.length - right.length;
    return rankOf(left.charCodeAt(same)) - rankOf(right.charCodeAt(same));
  }

  /** The keys have one type. */
  const sortByKey = <T>(keyed: { item: T; key: Key }[]): T[] =>
    keyed.toSorted((left, right) => compare(left.key, right.key)).map(({ item }) => item);

  runtime.registerFunction(
    'sort',
    ([list]) => sortByKey(itemsOf(list).flatMap((item) => (isKey(item) ? [{ item, key: item }] : []))),
    [{ types: [TYPE_ARRAY_STRING, TYPE_ARRAY_NUMBER] }],
    { override: true },
  );

  runtime.registerFunction(
    'sort_by',
    ([list, expression]) => {
      if (!isNode(expression))
        throw new Error('Invalid type: sort_by() expected argument 2 to be an expression');
      let type: string | undefined;
      const keyed = itemsOf(list).map((item) => {
        const key: unknown = interpreter.visit(expression, item);
        type ??= typeof key;
        if (!isKey(key) || typeof key !== type)
          throw new Error('Invalid type: sort_by() expected keys that are all strings or all numbers');
        return { item, key };
      });
      return sortByKey(keyed);
    },
    [{ types: [TYPE_ARRAY] }, { types: [TYPE_EXPREF] }],
    { override: true },
  );
}

function itemsOf(list: Library.JSONValue | ExpressionNode | undefined): Library.JSONValue[] {
  return Array.isArray(list) ? list : [];
}

function isKey(value: unknown): value is Key {
  return typeof value === 'string' || typeof value === 'number';
}

/** A block is compared by the engine, six times as fast as its units one by one. */
const BLOCK = 256;

function commonLength(left: string, right: string): number {
  const end = Math.min(left.length, right.length);
  let same = 0;
  while (same + BLOCK <= end && left.slice(same, same + BLOCK) === right.slice(same, same + BLOCK))
    same += BLOCK;
  while (same < end && left.charCodeAt(same) === right.charCodeAt(same)) same++;
  return same;
}

const FIRST_SURROGATE = 0xd8_00;
const AFTER_SURROGATES = 0xe0_00;
const LAST_UNIT = 0xff_ff;

/** JMESPath sorts by code points. Those above U+FFFF are written with surrogates, which have smaller units than U+E000. */
function rankOf(unit: number): number {
  const isSurrogate = unit >= FIRST_SURROGATE && unit < AFTER_SURROGATES;
  return isSurrogate ? unit + LAST_UNIT : unit;
}
