// Says an operation of OpenAPI 2.0 as 3.1 does: the body and the forms among its parameters become a request body.
import { type Description, listOf, member, type Node, textOf } from './document.ts';

const DEFAULT_MEDIA_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';

// The keywords of a parameter that describe its value. In 2.0 they are not in a schema of their own.
const SCHEMA_KEYWORDS = [
  'type',
  'format',
  'items',
  'default',
  'enum',
  'pattern',
  'multipleOf',
  'uniqueItems',
  'x-nullable',
  'minimum',
  'exclusiveMinimum',
  'maximum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
];

const STYLES: Readonly<Record<string, Node>> = {
  csv: { style: 'form', explode: false },
  multi: { style: 'form', explode: true },
  ssv: { style: 'spaceDelimited', explode: false },
  pipes: { style: 'pipeDelimited', explode: false },
  tsv: { style: 'tabDelimited', explode: false },
};

/** `parameters` are those of the path and of the operation together, with their references followed. */
export function fromSwagger(
  description: Description,
  operation: Node,
  parameters: readonly Node[],
): { parameters: readonly Node[]; requestBody: Node | undefined; produces: readonly unknown[] } {
  const { root } = description;
  const consumes = mediaTypes(operation, root, 'consumes');
  const produces = mediaTypes(operation, root, 'produces');
  const body = parameters.find((parameter) => member(parameter, 'in') === 'body');
  const fields = parameters.filter((parameter) => member(parameter, 'in') === 'formData');
  const others = parameters.filter(
    (parameter) => !['body', 'formData'].includes(String(member(parameter, 'in'))),
  );
  return {
    parameters: others.map(asParameter),
    requestBody: body === undefined ? fieldsAsBody(fields, consumes) : asBody(body, consumes),
    produces,
  };
}

function mediaTypes(operation: Node, root: Node, name: string): readonly unknown[] {
  const own = member(operation, name);
  return Array.isArray(own) ? own : listOf(root, name);
}

function asParameter(parameter: Node): Node {
  const isList = member(parameter, 'type') === 'array';
  const place = member(parameter, 'in');
  const format = textOf(parameter, 'collectionFormat') ?? 'csv';
  const isText = place === 'path' || place === 'header';
  return {
    ...parameter,
    schema: schemaOf(parameter),
    ...(isList && !isText ? (STYLES[format] ?? STYLES['csv']) : {}),
  };
}

function schemaOf(parameter: Node): Node {
  return Object.fromEntries(
    SCHEMA_KEYWORDS.flatMap((name) => {
      const value = member(parameter, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function asBody(body: Node, consumes: readonly unknown[]): Node {
  const types = consumes.filter((type) => typeof type === 'string');
  const media = { schema: member(body, 'schema') ?? {} };
  return {
    description: member(body, 'description'),
    required: member(body, 'required'),
    content: Object.fromEntries(
      (types.length === 0 ? [DEFAULT_MEDIA_TYPE] : types).map((type) => [type, media]),
    ),
  };
}

function fieldsAsBody(fields: readonly Node[], consumes: readonly unknown[]): Node | undefined {
  if (fields.length === 0) return undefined;
  const isMultipart =
    fields.some((field) => member(field, 'type') === 'file') ||
    (consumes.includes(MULTIPART) && !consumes.includes(FORM));
  const named = fields.filter((field) => textOf(field, 'name') !== undefined);
  const required = named
    .filter((field) => member(field, 'required') === true)
    .map((field) => member(field, 'name'));
  const schema = {
    type: 'object',
    properties: Object.fromEntries(
      named.map((field) => [
        String(member(field, 'name')),
        { ...fieldSchema(field), description: member(field, 'description') },
      ]),
    ),
    required,
  };
  const encoding = Object.fromEntries(
    named.flatMap((field) => {
      const style =
        member(field, 'type') === 'array' ? STYLES[textOf(field, 'collectionFormat') ?? 'csv'] : undefined;
      return style === undefined ? [] : [[String(member(field, 'name')), style]];
    }),
  );
  return {
    required: required.length > 0,
    content: { [isMultipart ? MULTIPART : FORM]: { schema, encoding } },
  };
}

function fieldSchema(field: Node): Node {
  return member(field, 'type') === 'file' ? { type: 'string', format: 'binary' } : schemaOf(field);
}
