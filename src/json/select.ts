// Selects parts of a JSON value with a JMESPath expression. The expression comes from a caller, so its work is bounded.
// decision: 032
import type * as Library from '@jmespath-community/jmespath';
import { CHARACTERS_PER_UNIT, MAX_WORK } from './limits.ts';
import { type ExpressionNode, isNode, replaceSorts } from './select-sort.ts';

type Jmespath = typeof Library;
type JSONValue = Library.JSONValue;
type Interpreter = Jmespath['TreeInterpreter'];
type Visited = ReturnType<Interpreter['visit']>;

/** Says what is wrong with an expression, or why it cannot be applied to the value. */
export class SelectError extends Error {}

export interface Selected {
  value: unknown;
  /** The length of the JSON of what the expression made, at least. Zero when it only chose a part of the value. */
  characters: number;
  /** The work that it took, MAX_WORK at most. */
  units: number;
}

export type Select = (value: unknown) => Selected;

export const MAX_EXPRESSION_CHARACTERS = 2_000;
/** A selection may be longer than its value, because it names what it selects. */
const GROWTH = 10;
const MIN_CHARACTERS = 100_000;

/** The functions of the JMESPath specification. The library's own extensions include some that make texts of any length. */
const FUNCTIONS = new Set(
  (
    'abs avg contains ceil ends_with floor join keys length map max max_by merge min min_by not_null reverse sort ' +
    'sort_by starts_with sum to_array to_number to_string type values'
  ).split(' '),
);

/** Throws SelectError when the expression is not valid. */
export async function compileSelect(expression: string): Promise<Select> {
  return (await loadSelect())(expression);
}

/** Returns what compiles expressions at once. It throws SelectError for one that is not valid. */
export async function loadSelect(): Promise<(expression: string) => Select> {
  // Loaded at its first use, because most gateways and most calls never select.
  const jmespath = await import('@jmespath-community/jmespath');
  return (expression) => {
    if (expression.length > MAX_EXPRESSION_CHARACTERS)
      throw new SelectError(`select has more than ${MAX_EXPRESSION_CHARACTERS} characters`);
    const root = parse(jmespath, expression);
    const operands = new Map<ExpressionNode, (value: Visited) => number>();
    check(jmespath, expression, root, operands);
    return (value) => apply(jmespath, expression, root, operands, value);
  };
}

function parse(jmespath: Jmespath, expression: string): ExpressionNode {
  try {
    return jmespath.compile(expression);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SelectError(
      `select is not a valid JMESPath expression ${where(expression, positionOf(jmespath, expression))}: ${reason}`,
    );
  }
}

/** Finds the first token after which no text could make the expression valid. */
function positionOf(jmespath: Jmespath, expression: string): number {
  let tokens;
  try {
    tokens = jmespath.tokenize(expression);
  } catch {
    return unreadableAt(jmespath, expression);
  }
  /** Whether the first tokens cannot be the beginning of an expression. */
  const isWrong = (count: number): boolean => {
    try {
      jmespath.compile(expression.slice(0, tokens[count]?.start ?? expression.length));
      return false;
    } catch (error) {
      return !(error instanceof Error && error.message.includes('EOF'));
    }
  };
  let right = 0;
  let wrong = tokens.length;
  if (!isWrong(wrong)) return expression.length;
  while (wrong - right > 1) {
    const middle = Math.floor((right + wrong) / 2);
    if (isWrong(middle)) wrong = middle;
    else right = middle;
  }
  return tokens[right]?.start ?? expression.length;
}

/** Finds where the first text begins that is not a token: every longer beginning cannot be read either. */
function unreadableAt(jmespath: Jmespath, expression: string): number {
  for (let end = expression.length - 1; end > 0; end--) {
    try {
      jmespath.tokenize(expression.slice(0, end));
      return end;
    } catch {
      // A shorter beginning may be readable.
    }
  }
  return 0;
}

function where(expression: string, position: number): string {
  const rest = expression.slice(position, position + 20);
  return rest === '' ? 'at its end' : `at character ${position + 1} (${JSON.stringify(rest)})`;
}

function whereIsFunction(jmespath: Jmespath, expression: string, name: string): string {
  const tokens = jmespath.tokenize(expression);
  const found = tokens.find(
    ({ value }, index) => value === name && expression.charAt(tokens[index + 1]?.start ?? -1) === '(',
  );
  return where(expression, found?.start ?? 0);
}

/** Refuses what the bounds below do not cover, and notes which results are operands of functions and comparisons. */
function check(
  jmespath: Jmespath,
  expression: string,
  root: ExpressionNode,
  operands: Map<ExpressionNode, (value: Visited) => number>,
): void {
  const open: unknown[] = [root];
  while (open.length > 0) {
    const node = open.pop();
    if (!isNode(node)) continue;
    if (node.type === 'Literal') continue;
    if (node.type === 'LetExpression' || node.type === 'Variable')
      throw new SelectError('select cannot use let and variables');
    if (node.type === 'MultiSelectHash' && node.children.some(({ name }) => name === '__proto__'))
      throw new SelectError('select cannot name a member __proto__');
    if (node.type === 'Function') {
      if (!FUNCTIONS.has(node.name))
        throw new SelectError(
          `select uses the unknown function ${node.name}() ${whereIsFunction(jmespath, expression, node.name)}. Known: ${[...FUNCTIONS].join(', ')}`,
        );
      const glue = node.name === 'join' ? glueLength(node.children[0]) : 0;
      for (const child of node.children) {
        const operand = child.type === 'ExpressionReference' ? child.child : child;
        operands.set(operand, (value) => (Array.isArray(value) ? value.length * glue : 0));
      }
    }
    for (const operand of readWhole(node)) operands.set(operand, () => 0);
    // The library looks at each item of what it flattens.
    if (node.type === 'Flatten')
      operands.set(node.child, (value) => (Array.isArray(value) ? value.length * CHARACTERS_PER_UNIT : 0));
    open.push(...Object.values(node).flat());
  }
}

/** The operands that the library reads whole: it compares them, or asks whether they are empty. */
function readWhole(node: ExpressionNode): ExpressionNode[] {
  switch (node.type) {
    case 'Comparator':
    case 'Arithmetic':
      return [node.left, node.right];
    case 'AndExpression':
    case 'OrExpression':
      return [node.left];
    case 'NotExpression':
      return [node.child];
    case 'FilterProjection':
    case 'Ternary':
      return [node.condition];
    default:
      return [];
  }
}

function glueLength(node: ExpressionNode | undefined): number {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value.length;
  throw new SelectError("select: the first argument of join() must be a literal text such as ', '");
}

/** These make a new value. All others return a part of an old one. */
const MAKERS = new Set([
  'MultiSelectHash',
  'MultiSelectList',
  'Projection',
  'ValueProjection',
  'FilterProjection',
  'Flatten',
  'Slice',
  'Function',
]);

function apply(
  jmespath: Jmespath,
  expression: string,
  root: ExpressionNode,
  operands: ReadonlyMap<ExpressionNode, (value: Visited) => number>,
  value: unknown,
): Selected {
  const weights = new WeakMap<object, number>();
  let work = 0;
  let most: number | undefined;

  const spend = (units: number): void => {
    work += units;
    if (work > MAX_WORK) throw new SelectError('select takes too much work. Select from fewer items');
  };

  /** Returns the length of the JSON at least. A value that is in several places counts in each. */
  function weigh(part: unknown): number {
    if (typeof part === 'string') return part.length + 2;
    if (typeof part !== 'object' || part === null) return 1;
    const known = weights.get(part);
    if (known !== undefined) return known;
    let weight = 2;
    spend(1);
    if (Array.isArray(part)) for (const item of part) weight += weigh(item) + 1;
    else for (const key of Object.keys(part)) weight += key.length + 4 + weigh(Reflect.get(part, key));
    weights.set(part, weight);
    return weight;
  }

  const interpreter = createInterpreter(jmespath);
  replaceSorts(jmespath, interpreter, spend);
  const visitNode = interpreter.visit.bind(interpreter);
  interpreter.visit = (node, given): Visited => {
    spend(1);
    const out = node.type === 'Field' ? ownMember(given, node.name) : visitNode(node, given);
    if (MAKERS.has(node.type) && (typeof out === 'object' || typeof out === 'string')) {
      if (Array.isArray(out)) spend(out.length);
      most ??= Math.max(MIN_CHARACTERS, GROWTH * weigh(value));
      if (weigh(out) > most)
        throw new SelectError('select makes far more than the result has. Select each part once');
    }
    const extra = operands.get(node)?.(out);
    if (extra !== undefined) spend((extra + weigh(out)) / CHARACTERS_PER_UNIT);
    return out;
  };

  try {
    // Results of tools are JSON.
    const selected = interpreter.search(root, value as JSONValue) ?? null;
    return { value: selected, characters: most === undefined ? 0 : weigh(selected), units: work };
  } catch (error) {
    if (error instanceof SelectError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const name = /\b(\w+)\(\)/.exec(reason)?.[1];
    const place = name === undefined ? '' : ` ${whereIsFunction(jmespath, expression, name)}`;
    throw new SelectError(`select cannot be applied to this result${place}: ${reason}`);
  }
}

/** The library shares one interpreter, and its functions call back to the one that they were made with. */
function createInterpreter({ TreeInterpreter }: Jmespath): Interpreter {
  // The library exports an instance of the class, which has a constructor without parameters, instead of the class.
  const Constructor = TreeInterpreter.constructor as new () => Interpreter;
  return new Constructor();
}

/** The library would also find inherited members such as `constructor`. */
function ownMember(given: Parameters<Interpreter['visit']>[1], name: string): JSONValue {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return null;
  // `given` is a value here: the interpreter visits a field with a value only.
  return Object.hasOwn(given, name) ? ((Reflect.get(given, name) as JSONValue | undefined) ?? null) : null;
}
