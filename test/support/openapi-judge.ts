// Judges requests by an OpenAPI description, with a validator that knows nothing of the gateway.
import { upgrade } from '@scalar/openapi-parser';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { OpenAPIValidator, ValidationContext } from 'openapi-backend';
import { load } from 'js-yaml';
import { isObject } from '../../src/json/json.ts';

export interface Seen {
  method: string;
  /** Below the base of the service. */
  path: string;
  search: string;
  headers: Record<string, string>;
  body: Uint8Array<ArrayBuffer>;
}

export interface Judge {
  /** Returns what is wrong. Null when the validator cannot read what the operation asks for. */
  judge(operation: { method: string; path: string }, seen: Seen): Promise<string[] | null>;
}

type Node = Record<string, unknown>;

export function createJudge(text: string): Judge {
  const written = text.replace(/^\uFEFF/, '');
  const parsed: unknown = /^\s*\{/.test(written) ? JSON.parse(written) : load(written);
  // The upgraded document has the schemas of 2020-12, whatever it was written in.
  const document = upgrade(parsed as Parameters<typeof upgrade>[0]).specification as Node;

  function follow(node: unknown): unknown {
    let current = node;
    for (let steps = 0; steps < 20; steps++) {
      if (!isObject(current) || typeof current['$ref'] !== 'string') return current;
      current = current['$ref']
        .replace(/^#\//, '')
        .split('/')
        .reduce<unknown>(
          (found, name) =>
            isObject(found) || Array.isArray(found)
              ? Reflect.get(found, decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~'))
              : undefined,
          document,
        );
    }
    return undefined;
  }

  /** Inlines references, and leaves open what refers to itself. */
  function inline(node: unknown, above: readonly unknown[] = []): unknown {
    const found = follow(node);
    if (above.includes(found) || above.length > 60) return {};
    if (Array.isArray(found)) return found.map((item) => inline(item, [...above, found]));
    if (!isObject(found)) return found;
    const entries = Object.entries(found).map(([name, value]) => [name, inline(value, [...above, found])]);
    return soften(Object.fromEntries(entries) as Node);
  }

  return {
    async judge({ method, path }, { body, headers, path: sentPath, search }) {
      const paths = document['paths'] as Record<string, Node>;
      const key = Object.keys(paths).find((known) => known === path || `/${known}` === path) ?? path;
      const item = follow(paths[key]) as Node;
      const own = follow(item[method.toLowerCase()]) as Node;
      const parameters = listOf(inline([...listOf(item['parameters']), ...listOf(own['parameters'])]));
      const requestBody = inline(own['requestBody']) as Node | undefined;
      if (!parameters.every(isUnderstood)) return null;
      const type = headers['content-type'] ?? '';
      const media = requestBody === undefined ? undefined : findMedia(requestBody, type);
      if (hasStyledObject(media)) return null;
      const problems: string[] = [];
      if (type !== '' && media === undefined) problems.push(`${type} is not described`);
      if (type === '' && requestBody?.['required'] === true) problems.push('the body is missing');
      const schema = isObject(media) && isObject(media['schema']) ? media['schema'] : {};
      const isJson = /[/+]json\b/.test(type);
      const readable = isJson ? new TextDecoder().decode(body) : await readForm(type, body, schema);
      const validator = new OpenAPIValidator({
        definition: {
          openapi: '3.1.0',
          info: { title: 'one', version: '1' },
          paths: {
            [path]: {
              [method.toLowerCase()]: {
                operationId: 'one',
                responses: {},
                parameters: parameters.filter((parameter) => !isOfGateway(parameter)),
                ...(readable === undefined
                  ? {}
                  : { requestBody: { required: true, content: { 'application/json': { schema } } } }),
              },
            },
          },
        } as never,
        lazyCompileValidators: true,
        customizeAjv: (_ajv, options, context) =>
          new Ajv2020({
            ...options,
            // The values of a form are texts, as those of parameters are.
            coerceTypes: context === ValidationContext.Params || !isJson ? 'array' : false,
            strict: false,
            validateFormats: false,
            logger: false,
          }) as never,
      });
      const result = validator.validateRequest(
        {
          method,
          path: sentPath,
          query: search.replace(/^\?/, ''),
          headers: { ...headers, ...(readable === undefined ? {} : { 'content-type': 'application/json' }) },
          ...(readable === undefined ? {} : { body: readable }),
        } as never,
        'one',
      );
      return [...problems, ...(result.errors ?? []).map((error) => `${error.instancePath} ${error.message}`)];
    },
  };
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/**
 * Says what authors mean: what only answers hold is not asked of requests, branches of `oneOf` may overlap, `nullable`
 * counts without a type, and `additionalProperties: false` in a part of `allOf` is about the whole, because no request
 * would fit otherwise.
 */
function soften(schema: Node): Node {
  const { allOf, nullable, oneOf, properties, required, type, ...rest } = schema;
  const isReadOnly = (name: unknown) => {
    const property = isObject(properties) && typeof name === 'string' ? properties[name] : undefined;
    return isObject(property) && property['readOnly'] === true;
  };
  const isClosed = Array.isArray(allOf) && [schema, ...allOf].some(isClosedObject);
  const whole = {
    ...(isClosed ? withoutClosing(rest) : rest),
    ...(type === undefined ? {} : { type, ...(nullable === undefined ? {} : { nullable }) }),
    ...(properties === undefined ? {} : { properties }),
    ...(Array.isArray(required)
      ? { required: required.filter((name) => !isReadOnly(name)) }
      : required === undefined
        ? {}
        : { required }),
    ...(Array.isArray(oneOf) ? { anyOf: oneOf } : oneOf === undefined ? {} : { oneOf }),
    ...(allOf === undefined ? {} : { allOf: isClosed ? allOf.map(withoutClosing) : allOf }),
    ...(isClosed ? { unevaluatedProperties: false } : {}),
  };
  return nullable === true && type === undefined ? { anyOf: [whole, { type: 'null' }] } : whole;
}

const isClosedObject = (schema: unknown) =>
  isObject(schema) && (schema['additionalProperties'] === false || schema['unevaluatedProperties'] === false);

function withoutClosing<T>(schema: T): T | Node {
  if (!isObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).filter(
      ([name]) => name !== 'additionalProperties' && name !== 'unevaluatedProperties',
    ),
  );
}

/** The validator does not read the other styles as the specification has them. */
function isUnderstood(parameter: unknown): boolean {
  if (!isObject(parameter)) return false;
  const { explode, in: place, schema, style } = parameter;
  const types = isObject(schema) ? [schema['type']].flat() : [];
  const isStructured = types.includes('object') || types.includes('array') || types.length === 0;
  if (place === 'path') return style === undefined || style === 'simple' ? !isStructured : false;
  if (place === 'header' || place === 'cookie') return !isStructured;
  if (types.includes('object') && style !== 'deepObject') return explode === false ? false : !isStructured;
  return true;
}

/** A field of a form whose members are written in a style is not read by the validator. */
function hasStyledObject(media: unknown): boolean {
  if (!isObject(media) || !isObject(media['encoding']) || !isObject(media['schema'])) return false;
  const properties = isObject(media['schema']['properties']) ? media['schema']['properties'] : {};
  return Object.entries(media['encoding']).some(([name, encoding]) => {
    const property = properties[name];
    return (
      isObject(encoding) &&
      encoding['style'] !== undefined &&
      isObject(property) &&
      property['type'] === 'object'
    );
  });
}

/** Parameters that the gateway or the credential sends. */
function isOfGateway(parameter: unknown): boolean {
  return (
    isObject(parameter) &&
    parameter['in'] === 'header' &&
    /^(accept|authorization|content-type)$/i.test(String(parameter['name']))
  );
}

function findMedia(requestBody: Node, type: string): unknown {
  const essence = (text: string) => text.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const content = Object.entries(isObject(requestBody['content']) ? requestBody['content'] : {});
  const fits = (name: string) => {
    const [one, other] = [essence(name), essence(type)];
    return one === other || one === '*/*' || (one.endsWith('/*') && other.startsWith(one.slice(0, -1)));
  };
  return content.find(([name]) => fits(name))?.[1];
}

/** Writes a form as JSON. Returns undefined for a body that no schema describes: a text or bytes. */
async function readForm(
  type: string,
  body: Uint8Array<ArrayBuffer>,
  schema: Node,
): Promise<string | undefined> {
  if (!/^(multipart\/form-data|application\/x-www-form-urlencoded)/.test(type)) return undefined;
  const form = await new Response(body, { headers: { 'content-type': type } }).formData();
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const entries = [...new Set(form.keys())].map((name) => {
    const values = form.getAll(name).map((value) => (typeof value === 'string' ? value : 'bytes'));
    const property = properties[name];
    const type = isObject(property) ? [property['type']].flat() : [];
    if (type.includes('array')) return [name, values.map(parseLoosely)];
    return [name, type.includes('string') ? values[0] : parseLoosely(values[0] ?? '')];
  });
  return JSON.stringify(Object.fromEntries(entries));
}

function parseLoosely(text: string): unknown {
  try {
    return text.startsWith('{') || text.startsWith('[') ? (JSON.parse(text) as unknown) : text;
  } catch {
    return text;
  }
}
