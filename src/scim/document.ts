// Reads what a directory sends into the attributes that the gateway keeps. Everything else is left out. RFC 7643 §2
import { isObject } from '../json/json.ts';
import { SCIM_TEXT_CHARACTERS, SCIM_VALUES } from './limits.ts';
import { type Attribute, COMMON, type Schema } from './schemas.ts';
import { badValue, ScimError } from './scim-error.ts';

export type Value = string | boolean | Complex | Complex[];
export interface Complex {
  [name: string]: Value;
}

/** Names of attributes differ in more than case. RFC 7643 §2.1 */
export const findAttribute = (attributes: readonly Attribute[], name: string): Attribute | undefined =>
  attributes.find((one) => one.name.toLowerCase() === name.toLowerCase());

export const attributesOf = ({ attributes }: Schema): readonly Attribute[] => [...attributes, ...COMMON];

/** Undefined where the value says that the attribute is not set. */
export function readValue(attribute: Attribute, value: unknown): Value | undefined {
  if (value === null || value === undefined) return undefined;
  if (!attribute.multiValued) return readOne(attribute, value);
  const values = Array.isArray(value) ? value : [value];
  if (attribute.name !== 'members' && values.length > SCIM_VALUES)
    throw badValue(`${attribute.name} has more than ${SCIM_VALUES} values`);
  return values.map((one) => {
    // Some directories send a list of texts.
    const read = readOne(attribute, typeof one === 'string' ? { value: one } : one);
    if (!isComplex(read)) throw wrongType(attribute);
    return read;
  });
}

export const isComplex = (value: Value): value is Complex =>
  typeof value === 'object' && !Array.isArray(value);

function readOne(attribute: Attribute, value: unknown): Value {
  const { name, type, subAttributes = [] } = attribute;
  switch (type) {
    case 'boolean':
      if (typeof value === 'boolean') return value;
      // Entra sends "True" and "False".
      if (typeof value === 'string' && /^(true|false)$/i.test(value)) return value.toLowerCase() === 'true';
      throw wrongType(attribute);
    case 'complex':
      if (!isObject(value)) throw wrongType(attribute);
      return readAttributes(subAttributes, value);
    default:
      if (typeof value !== 'string') throw wrongType(attribute);
      if (value.length > SCIM_TEXT_CHARACTERS)
        throw badValue(`${name} is longer than ${SCIM_TEXT_CHARACTERS} characters`);
      return value.toWellFormed().replaceAll('\0', '');
  }
}

function readAttributes(attributes: readonly Attribute[], given: Record<string, unknown>): Complex {
  const read: Complex = {};
  for (const [key, value] of Object.entries(given)) {
    const attribute = findAttribute(attributes, key);
    if (attribute === undefined || attribute.mutability === 'readOnly') continue;
    const found = readValue(attribute, value);
    if (found !== undefined) read[attribute.name] = found;
  }
  return read;
}

const wrongType = ({ name, type, multiValued }: Attribute): ScimError =>
  badValue(`${name} must be ${multiValued ? 'a list of values of the type' : 'of the type'} ${type}`);

/** Throws where a required attribute is missing. */
export function readDocument(schema: Schema, given: unknown): Complex {
  if (!isObject(given)) throw new ScimError(400, 'The body must be a JSON object', 'invalidSyntax');
  const { schemas } = given;
  if (Array.isArray(schemas) && !schemas.includes(schema.id))
    throw badValue(`schemas must have ${schema.id}`);
  return readAttributes(attributesOf(schema), given);
}
