// Applies the operations of a PATCH, also as Entra and Okta spell them. RFC 7644 §3.5.2
import { isObject } from '../json/json.ts';
import { SCIM_OPERATIONS } from './limits.ts';
import { attributesOf, type Complex, findAttribute, isComplex, readValue, type Value } from './document.ts';
import { type Condition, readCondition } from './filter.ts';
import type { Attribute, Schema } from './schemas.ts';
import { ScimError } from './scim-error.ts';

type Kind = 'add' | 'replace' | 'remove';

interface Path {
  attribute: string;
  condition: Condition | null;
  sub: string | null;
}

export function applyPatch(schema: Schema, before: Complex, given: unknown): Complex {
  const operations = isObject(given) ? (find(given, 'Operations') ?? null) : null;
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > SCIM_OPERATIONS)
    throw new ScimError(400, `A PATCH has 1 to ${SCIM_OPERATIONS} Operations`, 'invalidSyntax');
  const next = structuredClone(before);
  for (const operation of operations) applyOne(schema, next, operation);
  return next;
}

const find = (given: Record<string, unknown>, name: string): unknown =>
  Object.entries(given).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];

function applyOne(schema: Schema, next: Complex, operation: unknown): void {
  if (!isObject(operation)) throw new ScimError(400, 'An operation must be an object', 'invalidSyntax');
  const kind = String(find(operation, 'op')).toLowerCase();
  if (kind !== 'add' && kind !== 'replace' && kind !== 'remove')
    throw new ScimError(400, 'op must be add, replace or remove', 'invalidSyntax');
  const path = find(operation, 'path');
  const value = find(operation, 'value');
  if (typeof path === 'string' && path !== '') return change(schema, next, kind, path, value, true);
  if (kind === 'remove') throw new ScimError(400, 'remove needs a path', 'noTarget');
  if (!isObject(value))
    throw new ScimError(400, 'Without a path the value must be an object', 'invalidValue');
  for (const [key, one] of Object.entries(value)) change(schema, next, kind, key, one, false);
}

/** What the gateway does not keep changes nothing: a directory sends its attributes whatever the schema says. */
function change(
  schema: Schema,
  next: Complex,
  kind: Kind,
  path: string,
  value: unknown,
  isNamed: boolean,
): void {
  const read = readPath(schema, path);
  if (read === null) return;
  const attribute = findAttribute(attributesOf(schema), read.attribute);
  if (attribute === undefined) return;
  if (attribute.mutability === 'readOnly') {
    if (!isNamed) return;
    throw new ScimError(400, `${attribute.name} is read-only`, 'mutability');
  }
  if (attribute.multiValued) changeValues(next, attribute, kind, read, value);
  else changeValue(next, attribute, kind, read, value);
  if (attribute.required && isEmpty(next[attribute.name]))
    throw new ScimError(400, `${attribute.name} is required`, 'invalidValue');
}

const isEmpty = (value: Value | undefined): boolean =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/** Null for the path of an extension. */
function readPath({ id }: Schema, path: string): Path | null {
  const isOwn = path.toLowerCase().startsWith(`${id.toLowerCase()}:`);
  if (!isOwn && /^urn:/i.test(path)) return null;
  const [, attribute, condition, sub] =
    /^([A-Za-z$][\w$-]*)(?:\[(.*)\])?(?:\.([A-Za-z$][\w$-]*))?$/.exec(
      isOwn ? path.slice(id.length + 1) : path,
    ) ?? [];
  if (attribute === undefined) throw new ScimError(400, `${path} is not a path`, 'invalidPath');
  return {
    attribute,
    condition: condition === undefined ? null : readCondition(condition),
    sub: sub ?? null,
  };
}

function changeValue(
  next: Complex,
  attribute: Attribute,
  kind: Kind,
  { condition, sub }: Path,
  value: unknown,
): void {
  const { name, type, subAttributes = [] } = attribute;
  if (condition !== null) throw new ScimError(400, `${name} has one value only`, 'invalidPath');
  if (sub !== null && type !== 'complex') throw new ScimError(400, `${name} has no ${sub}`, 'invalidPath');
  const own = next[name];
  if (sub === null) {
    const read = kind === 'remove' ? undefined : readValue(attribute, value);
    if (read === undefined) delete next[name];
    else next[name] = isComplex(read) && own !== undefined && isComplex(own) ? { ...own, ...read } : read;
    return;
  }
  const whole = own !== undefined && isComplex(own) ? own : {};
  setSub(whole, subAttributes, kind, sub, value);
  if (Object.keys(whole).length === 0) delete next[name];
  else next[name] = whole;
}

function setSub(
  target: Complex,
  subAttributes: readonly Attribute[],
  kind: Kind,
  sub: string,
  value: unknown,
): void {
  const attribute = findAttribute(subAttributes, sub);
  if (attribute === undefined) return;
  const read = kind === 'remove' ? undefined : readValue(attribute, value);
  if (read === undefined) delete target[attribute.name];
  else target[attribute.name] = read;
}

function changeValues(
  next: Complex,
  attribute: Attribute,
  kind: Kind,
  { condition, sub }: Path,
  value: unknown,
): void {
  const { name, subAttributes = [] } = attribute;
  const own = valuesIn(next, name);
  let result: Complex[];
  if (condition !== null || sub !== null) {
    const targets = own.filter((one) => condition === null || matches(one, condition));
    if (kind === 'remove' && sub === null) result = own.filter((one) => !targets.includes(one));
    else {
      if (targets.length === 0 && kind !== 'remove') targets.push(makeTarget(condition, sub, own));
      for (const target of targets)
        if (sub !== null) setSub(target, subAttributes, kind, sub, value);
        else Object.assign(target, listOf(attribute, value)[0]);
      result = own;
    }
    keepOnePrimary(result, targets);
  } else {
    const given = value === undefined || value === null ? [] : listOf(attribute, value);
    if (kind === 'replace') result = given;
    else if (kind === 'add') {
      const added = given.filter((one) => !own.some((known) => known['value'] === one['value']));
      result = [...own, ...added];
      keepOnePrimary(result, added);
    } else
      // Entra names the values to remove beside the path.
      result =
        given.length === 0
          ? []
          : own.filter((one) => !given.some(({ value: gone }) => gone === one['value']));
  }
  if (result.length === 0) delete next[name];
  else next[name] = result;
}

export function valuesIn(document: Complex, name: string): Complex[] {
  const own = document[name];
  return Array.isArray(own) ? own : [];
}

function listOf(attribute: Attribute, value: unknown): Complex[] {
  const read = readValue(attribute, value);
  return Array.isArray(read) ? read : [];
}

/** Entra replaces the address of a kind that the person does not have yet. */
function makeTarget(condition: Condition | null, sub: string | null, own: Complex[]): Complex {
  if (condition === null || sub === null) throw new ScimError(400, 'No value matches the path', 'noTarget');
  const made: Complex = { [condition.attribute]: condition.value };
  own.push(made);
  return made;
}

const matches = (one: Complex, { attribute, value }: Condition): boolean =>
  Object.entries(one).some(
    ([name, own]) =>
      name.toLowerCase() === attribute.toLowerCase() &&
      (typeof own === 'string' ? own.toLowerCase() === String(value).toLowerCase() : own === value),
  );

/** RFC 7644 §3.5.2: a new primary value takes the mark from the former one. */
function keepOnePrimary(values: readonly Complex[], changed: readonly Complex[]): void {
  const chosen = changed.findLast((one) => one['primary'] === true);
  if (chosen === undefined) return;
  for (const one of values) if (one !== chosen && one['primary'] === true) one['primary'] = false;
}
