// Says in sentences what is wrong with arguments, in the words that the built-in tools use.
import type { OutputUnit } from '@cfworker/json-schema';
import { isObject } from '../../json/json.ts';
import { resolvePointer } from '../../json/pointer.ts';
import { cutText, quoteName } from './clean-text.ts';
import type { Node } from './schema-soundness.ts';

const MAX_MISTAKES = 20;
const MAX_CHOICES = 20;
const MAX_VALUE = 100;

/** Their parts have mistakes of their own, which say more. */
const WRAPPERS = new Set([
  'properties',
  'patternProperties',
  'items',
  'prefixItems',
  'allOf',
  'if',
  'dependencies',
  'dependentSchemas',
]);
/** What is wrong within their parts is not what is wrong with the value. */
const CLOSED = new Set(['not', 'contains', 'propertyNames']);
const ALTERNATIVES = new Set(['anyOf', 'oneOf']);
const OTHERS = new Set([
  'additionalProperties',
  'unevaluatedProperties',
  'additionalItems',
  'unevaluatedItems',
]);

export function describeMistakes(errors: readonly OutputUnit[], schema: Node, args: unknown): string {
  const found = new Set<string>();
  collect(errors.map(placeFalse));
  return [...found].join('; ');

  function collect(units: readonly OutputUnit[]): void {
    for (let index = 0; index < units.length && found.size < MAX_MISTAKES; index++) {
      const unit = units[index];
      if (unit === undefined) return;
      const { keyword } = unit;
      if (ALTERNATIVES.has(keyword) || CLOSED.has(keyword)) {
        const within = unitsBelow(units, index, unit.keywordLocation);
        found.add(
          sentence(unit, ALTERNATIVES.has(keyword) ? describeAlternatives(unit, within) : describe(unit)),
        );
        index += within.length;
      } else if (OTHERS.has(keyword) && units[index + 1]?.keyword === 'false') {
        found.add(describeUnknown(unit, units[++index]));
      } else if (!WRAPPERS.has(keyword) && !OTHERS.has(keyword)) found.add(sentence(unit, describe(unit)));
    }
  }

  function valueOf(unit: OutputUnit): unknown {
    return at(args, unit.instanceLocation);
  }

  function keywordOf(unit: OutputUnit): unknown {
    return at(schema, unit.keywordLocation);
  }

  function describe(unit: OutputUnit): string {
    const asked = keywordOf(unit);
    switch (unit.keyword) {
      case 'type':
        return `Invalid input: expected ${listTypes(asked)}, received ${typeName(valueOf(unit))}`;
      case 'required':
        return 'Invalid input: expected a value, received undefined';
      case 'enum':
        return `Invalid option: expected one of ${listChoices(asked)}`;
      case 'const':
        return `Invalid input: expected ${show(asked)}`;
      case 'minLength':
      case 'minItems':
      case 'minProperties':
        return `Too small: expected ${typeName(valueOf(unit))} to have >=${show(asked)} ${UNITS[unit.keyword]}`;
      case 'maxLength':
      case 'maxItems':
      case 'maxProperties':
        return `Too big: expected ${typeName(valueOf(unit))} to have <=${show(asked)} ${UNITS[unit.keyword]}`;
      case 'minimum':
        return `Too small: expected number to be >=${show(asked)}`;
      case 'maximum':
        return `Too big: expected number to be <=${show(asked)}`;
      case 'exclusiveMinimum':
        return `Too small: expected number to be >${show(asked)}`;
      case 'exclusiveMaximum':
        return `Too big: expected number to be <${show(asked)}`;
      case 'multipleOf':
        return `Invalid number: must be a multiple of ${show(asked)}`;
      case 'uniqueItems':
        return 'Invalid input: two items are equal, and each may come only once';
      case 'contains':
      case 'minContains':
      case 'maxContains':
        return 'Invalid input: the number of items of the required form is wrong (see get_tool_schema)';
      case 'propertyNames':
        return 'Invalid key: the name of this key is not allowed (see get_tool_schema)';
      case 'dependencies':
      case 'dependentRequired':
        return 'Invalid input: a key that another key needs is missing (see get_tool_schema)';
      default:
        return 'Invalid input: this value is not allowed (see get_tool_schema)';
    }
  }

  /** Names the types when no alternative has the right one, and what is wrong with the nearest alternative otherwise. */
  function describeAlternatives(unit: OutputUnit, within: readonly OutputUnit[]): string {
    const alternatives = keywordOf(unit);
    const count = Array.isArray(alternatives) ? alternatives.length : 0;
    if (within.length === 0) return `Invalid input: it matches more than one of the ${count} allowed forms`;
    const depth = unit.keywordLocation.split('/').length;
    const branches = [
      ...Map.groupBy(within, (each) => each.keywordLocation.split('/')[depth] ?? '').values(),
    ];
    const isHere = (each: OutputUnit | undefined) => each?.instanceLocation === unit.instanceLocation;
    const types = branches.map((branch) => branch.find((each) => each.keyword === 'type' && isHere(each)));
    if (types.every((type) => type !== undefined)) {
      const asked = types.flatMap((type) => keywordOf(type));
      return `Invalid input: expected ${listTypes([...new Set(asked)])}, received ${typeName(valueOf(unit))}`;
    }
    if (branches.length < count)
      return `Invalid input: it matches more than one of the ${count} allowed forms`;
    const [nearest = []] = branches
      .filter((_, index) => types[index] === undefined)
      .toSorted((one, other) => one.length - other.length);
    const mistakes = describeMistakes(nearest, schema, args);
    return `Invalid input: it matches none of the ${count} allowed forms; the nearest one: ${mistakes}`;
  }

  function describeUnknown(unit: OutputUnit, child: OutputUnit | undefined): string {
    if (unit.keyword.endsWith('Items'))
      return sentence(unit, 'Too big: the list has items that are not allowed');
    const key = pathOf(child?.instanceLocation ?? '').at(-1) ?? '';
    const parent = at(schema, unit.keywordLocation.slice(0, unit.keywordLocation.lastIndexOf('/')));
    const properties = isObject(parent) ? parent['properties'] : undefined;
    const known = isObject(properties) ? Object.keys(properties) : [];
    const names = known.slice(0, MAX_CHOICES).map((name) => cutText(name, MAX_VALUE));
    const told = known.length === 0 ? 'there are none' : `known: ${names.join(', ')}`;
    return sentence(unit, `Unrecognized key: ${quoteName(key)} (${told})`);
  }
}

/** The library gives the schema `false` the location of the value. Its place is below the unit before it. */
function placeFalse(unit: OutputUnit, index: number, all: readonly OutputUnit[]): OutputUnit {
  const before = all[index - 1];
  if (unit.keyword !== 'false' || before === undefined || unit.keywordLocation.endsWith('/false'))
    return unit;
  return { ...unit, keywordLocation: `${before.keywordLocation}/false` };
}

/** The mistakes of the parts of a keyword come behind it. */
function unitsBelow(units: readonly OutputUnit[], index: number, location: string): OutputUnit[] {
  const rest = units.slice(index + 1);
  const end = rest.findIndex((unit) => !unit.keywordLocation.startsWith(`${location}/`));
  return end === -1 ? rest : rest.slice(0, end);
}

/** A missing key belongs to the path: `repo: …`. The library names it in its sentence alone. */
function sentence(unit: OutputUnit, text: string): string {
  const path = pathOf(unit.instanceLocation);
  const missing = unit.keyword === 'required' ? /"(.*)"\.$/s.exec(unit.error)?.[1] : undefined;
  if (missing !== undefined) path.push(missing);
  const named = path.map((key) => cutText(key, MAX_VALUE)).join('.');
  return named === '' ? text : `${named}: ${text}`;
}

const UNITS: Readonly<Record<string, string>> = {
  minLength: 'characters',
  maxLength: 'characters',
  minItems: 'items',
  maxItems: 'items',
  minProperties: 'keys',
  maxProperties: 'keys',
};

/** The library writes locations as fragments: `#/items/0`. */
function pathOf(location: string): string[] {
  return location
    .split('/')
    .slice(1)
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function at(root: unknown, location: string): unknown {
  return resolvePointer(root, decodeURIComponent(location.slice(1)))?.value;
}

export function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

const listTypes = (types: unknown): string =>
  Array.isArray(types) ? types.map(String).join(' or ') : String(types);

function listChoices(choices: unknown): string {
  if (!Array.isArray(choices)) return show(choices);
  const shown = choices.slice(0, MAX_CHOICES).map(show).join('|');
  return choices.length > MAX_CHOICES ? `${shown}|… (${choices.length} in all)` : shown;
}

const show = (value: unknown): string => cutText(JSON.stringify(value) ?? 'undefined', MAX_VALUE);
