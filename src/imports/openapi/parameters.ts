// Reads the parameters of an operation: how each one is written, and the schema of its argument.
import { isOverriding } from '../../kit/overriding-headers.ts';
import type { JsonSchema } from '../../kit/validation.ts';
import { type Description, listOf, member, type Node, objectOf, textOf } from './document.ts';
import { createArgumentNames, nameArgument } from './names.ts';
import type { OperationParameter, Style } from './operation.ts';
import { shorten } from './plain.ts';
import type { Detail, MakeSchema } from './schemas.ts';

const MAX_PARAMETERS = 300;

type Place = OperationParameter['in'];

const PLACES: readonly unknown[] = ['path', 'query', 'header', 'cookie'];
const STYLES: Readonly<Record<Place, readonly Style[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'tabDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
};

// The first three are said by the body and the credential. OpenAPI 3.1 §4.8.12.2.1. The others belong to the connection.
const NO_ARGUMENT_HEADERS = new Set([
  'accept',
  'content-type',
  'authorization',
  'cookie',
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'upgrade',
  'te',
  'trailer',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'expect',
]);

/** The arguments of a tool, as they come together. */
export interface Arguments {
  /** Returns the name that the argument got. */
  add(wanted: string, place: string, schema: JsonSchema, isRequired: boolean): string;
  schema(more?: JsonSchema): JsonSchema;
}

export function createArguments(): Arguments {
  const nameOnce = createArgumentNames();
  const properties = new Map<string, JsonSchema>();
  const required: string[] = [];
  return {
    add(wanted, place, schema, isRequired) {
      const own = nameArgument(wanted);
      const name = nameOnce(own, () => `${own.slice(0, 50)}_${place}`);
      properties.set(name, schema);
      if (isRequired) required.push(name);
      return name;
    },
    schema: (more) => ({
      type: 'object',
      properties: Object.fromEntries(properties),
      required,
      additionalProperties: false,
      ...more,
    }),
  };
}

export interface ParameterContext {
  path: string;
  detail: Detail;
  make: MakeSchema;
  /** The credential adds it. */
  isCarried: (place: string, name: string) => boolean;
  problems: Set<string>;
}

/** Follows the references of the parameters of the path and of the operation. Those of the operation win. */
export function listParameters(
  description: Description,
  pathItem: Node,
  operation: Node,
  problems: Set<string>,
): Node[] {
  const found = new Map<string, Node>();
  for (const given of [...listOf(pathItem, 'parameters'), ...listOf(operation, 'parameters')].slice(
    0,
    MAX_PARAMETERS,
  )) {
    const followed = description.follow(given);
    if (followed.problem !== undefined) problems.add(followed.problem);
    else {
      const { node } = followed;
      const name = textOf(node, 'name');
      // In 2.0 the name of a body means nothing.
      const place = String(member(node, 'in'));
      if (typeof node !== 'object' || node === null || (name === undefined && place !== 'body'))
        problems.add('A parameter has no name');
      else {
        // Keys are unique, so the later parameter replaces the earlier one at its place.
        found.set(
          place === 'body' ? 'body' : `${place} ${name ?? ''}`,
          Object.fromEntries(Object.entries(node)),
        );
      }
    }
  }
  return [...found.values()];
}

export function addParameters(
  parameters: readonly Node[],
  args: Arguments,
  context: ParameterContext,
): OperationParameter[] {
  const { path, problems } = context;
  const inPath = new Set([...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name ?? ''));
  const added = parameters.flatMap((parameter) => {
    const name = textOf(parameter, 'name') ?? '';
    const place = member(parameter, 'in');
    if (!isPlace(place)) {
      problems.add(
        `It has a parameter in ${JSON.stringify(String(place).slice(0, 40))}, which is not supported`,
      );
      return [];
    }
    if (place === 'path' && !inPath.delete(name)) {
      problems.add('A parameter of its path does not occur in the path');
      return [];
    }
    if (context.isCarried(place, name)) return [];
    // Rules go by the method and the path of an operation, so no argument names other ones.
    if (place === 'header' && (NO_ARGUMENT_HEADERS.has(name.toLowerCase()) || isOverriding(name))) return [];
    return [addParameter(parameter, name, place, args, context)];
  });
  // Authors forget parameters, and without them the operation cannot be called.
  const missing = [...inPath].map((name): OperationParameter => {
    problems.add('A parameter of its path is not described');
    return {
      argument: args.add(name, 'path', { type: 'string' }, true),
      name,
      in: 'path',
      style: 'simple',
      explode: false,
    };
  });
  return [...added, ...missing];
}

const isPlace = (value: unknown): value is Place => PLACES.includes(value);

function addParameter(
  parameter: Node,
  name: string,
  place: Place,
  args: Arguments,
  { detail, make, problems }: ParameterContext,
): OperationParameter {
  const [contentType, media] = Object.entries(objectOf(parameter, 'content'))[0] ?? [];
  const made = make(media === undefined ? member(parameter, 'schema') : member(media, 'schema'));
  for (const problem of made.problems) problems.add(problem);
  const isRequired = place === 'path' || member(parameter, 'required') === true;
  const argument = args.add(name, place, describeArgument(parameter, made.schema, detail), isRequired);
  const style = readStyle(parameter, place);
  const explode = member(parameter, 'explode');
  return {
    argument,
    name,
    in: place,
    style,
    explode: typeof explode === 'boolean' ? explode : style === 'form',
    ...(member(parameter, 'allowReserved') === true ? { allowReserved: true } : {}),
    ...(contentType === undefined ? {} : { contentType }),
  };
}

/** The text of the parameter is about this place, so it goes before the one of its schema. */
function describeArgument(parameter: Node, schema: JsonSchema, { text }: Detail): JsonSchema {
  const description = textOf(parameter, 'description');
  const example = member(parameter, 'example');
  const isShort =
    (typeof example === 'string' && example !== '' && example.length <= 80) || Number.isFinite(example);
  return {
    ...schema,
    ...(description === undefined ? {} : { description: shorten(description, text) }),
    ...(isShort && schema['examples'] === undefined && schema['enum'] === undefined
      ? { examples: [example] }
      : {}),
    ...(member(parameter, 'deprecated') === true ? { deprecated: true } : {}),
  };
}

function readStyle(parameter: Node, place: Place): Style {
  const allowed = STYLES[place];
  const given = member(parameter, 'style');
  // The first one is the default of the place.
  return allowed.find((style) => style === given) ?? allowed[0] ?? 'simple';
}
