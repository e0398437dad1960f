// Reads the body of a request: its media type, and the arguments that it is made of.
import { isObject } from '../../json/json.ts';
import type { JsonSchema } from '../../kit/validation.ts';
import { type Description, listOf, member, type Node, objectOf, textOf } from './document.ts';
import type { BodyEncoding, OperationBody, OperationMember, Style } from './operation.ts';
import type { Arguments } from './parameters.ts';
import { shorten } from './plain.ts';
import type { Detail, MakeSchema } from './schemas.ts';

// An object with more members is one argument.
const MAX_MEMBERS = 200;
// How many unions, or parts of `allOf`, lie in each other where a file is looked for.
const MAX_UNIONS = 5;
// How many members of an XML body are named.
const NAMED_MEMBERS = 30;
const MEDIA_TYPE = /^[\w!#$&^.+*-]{1,100}\/[\w!#$&^.+*-]{1,100}(\s*;.{0,200})?$/;
// The order of preference.
const ENCODINGS: readonly BodyEncoding[] = ['json', 'multipart', 'form', 'text', 'bytes'];
const STYLES: readonly Style[] = ['form', 'spaceDelimited', 'pipeDelimited', 'tabDelimited', 'deepObject'];
const FILE = 'file:<handle> of a kept file, or the text that the file contains';

export interface BodyContext {
  description: Description;
  detail: Detail;
  make: MakeSchema;
  problems: Set<string>;
}

interface Media {
  contentType: string;
  encoding: BodyEncoding;
  node: Node;
}

/** `more` holds what the input schema has to say beside its properties. */
export interface ReadBody {
  body: OperationBody | undefined;
  more: JsonSchema;
}

export function addBody(given: unknown, method: string, args: Arguments, context: BodyContext): ReadBody {
  const { description, problems } = context;
  const followed = description.follow(given);
  if (followed.problem !== undefined) {
    problems.add(followed.problem);
    return { body: undefined, more: {} };
  }
  const requestBody = followed.node;
  const media = chooseMedia(requestBody, context);
  if (media === undefined) return { body: undefined, more: {} };
  if (method === 'GET' || method === 'HEAD') {
    problems.add(`A ${method} request cannot have a body, so its body is left out`);
    return { body: undefined, more: {} };
  }
  const schema = member(media.node, 'schema');
  if (media.encoding === 'bytes' || media.encoding === 'text')
    return addPlain(requestBody, media, args, context);
  const made = context.make(schema);
  for (const problem of made.problems) problems.add(problem);
  const body = describeFiles(made.schema, schema, media, context);
  const required = listOf(body, 'required');
  const said = member(requestBody, 'required');
  const encodings = new Map(
    Object.keys(objectOf(body, 'properties')).map((name) => [
      name,
      readEncoding(name, schema, media, context),
    ]),
  );
  // A body that may be missing, but not a member of it, can only be said by one argument.
  const isFlat = isFlattenable(body) && !(said === false && required.length > 0);
  // Many descriptions forget to require a body, and require its members.
  const isRequired = said === true || (said === undefined && required.length > 0);
  return isFlat
    ? addMembers(body, isRequired, media, encodings, args)
    : addWhole(requestBody, body, isRequired, media, encodings, args, context);
}

function chooseMedia(requestBody: unknown, { problems, description }: BodyContext): Media | undefined {
  const content = Object.entries(objectOf(requestBody, 'content')).slice(0, 50);
  const usable = content.flatMap(([name, node]): Media[] => {
    const contentType = name.trim();
    if (!MEDIA_TYPE.test(contentType) || !isObject(node)) return [];
    const schema = member(node, 'schema');
    const encoding = encodingOf(contentType, isFileOrFiles(schema, description) === 'one');
    if (encoding === undefined) return [];
    return [
      {
        contentType: contentType.startsWith('*/*') && encoding === 'json' ? 'application/json' : contentType,
        encoding,
        node,
      },
    ];
  });
  if (content.length > 0 && usable.length === 0) problems.add('The media type of its body is not supported');
  // Only multipart can carry the bytes of a file that is a member.
  const withFiles = usable.find(
    ({ encoding, node }) => encoding === 'multipart' && hasFileMember(member(node, 'schema'), description),
  );
  return (
    withFiles ??
    usable.toSorted((one, other) => ENCODINGS.indexOf(one.encoding) - ENCODINGS.indexOf(other.encoding))[0]
  );
}

function encodingOf(contentType: string, isBinary: boolean): BodyEncoding | undefined {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type === 'multipart/form-data') return 'multipart';
  if (type.startsWith('multipart/')) return undefined;
  if (isBinary) return 'bytes';
  if (/^(\*\/\*|application\/\*|(application|text)\/json|.+\+json)$/.test(type)) return 'json';
  if (/^text\/|[/+](xml|yaml|graphql|javascript|x-ndjson|sql|csv|toml|x-yaml|jsonl)$/.test(type))
    return 'text';
  return 'bytes';
}

/** OpenAPI 3.0 §4.7.14.2 and 3.1 §4.8.14.2 */
function isFile(node: unknown): boolean {
  const type = member(node, 'type');
  if (type === 'file' || member(node, 'format') === 'binary') return true;
  const types = Array.isArray(type) ? type.filter((one) => one !== 'null') : [type];
  const isText = types.length === 1 && (types[0] === 'string' || types[0] === undefined);
  return (
    isText && member(node, 'contentMediaType') !== undefined && member(node, 'contentEncoding') === undefined
  );
}

/** Looks through a union with null, which is how some frameworks say that a file may be missing. */
function isFileOrFiles(schema: unknown, description: Description, depth = MAX_UNIONS): 'one' | 'many' | null {
  const followed = description.follow(schema);
  if (followed.problem !== undefined || depth === 0) return null;
  const { node } = followed;
  if (isFile(node)) return 'one';
  const types = [member(node, 'type')].flat();
  if (types.includes('array'))
    return isFileOrFiles(member(node, 'items'), description, depth - 1) === 'one' ? 'many' : null;
  const branches = [...listOf(node, 'anyOf'), ...listOf(node, 'oneOf')].filter(
    (branch) => member(branch, 'type') !== 'null',
  );
  const [only, ...others] = branches;
  return only === undefined || others.length > 0 ? null : isFileOrFiles(only, description, depth - 1);
}

function hasFileMember(schema: unknown, description: Description, depth = MAX_UNIONS): boolean {
  const followed = description.follow(schema);
  if (followed.problem !== undefined || depth === 0) return false;
  const { node } = followed;
  return (
    Object.values(objectOf(node, 'properties')).some((part) => isFileOrFiles(part, description) !== null) ||
    listOf(node, 'allOf').some((part) => hasFileMember(part, description, depth - 1))
  );
}

function addPlain(
  requestBody: unknown,
  media: Media,
  args: Arguments,
  { detail, make, problems }: BodyContext,
): ReadBody {
  const { contentType, encoding, node } = media;
  const about = textOf(requestBody, 'description');
  const given = encoding === 'text' ? make(member(node, 'schema')).schema : {};
  const isXml = isStructured(given) && /[/+]xml\s*(;|$)/i.test(contentType);
  if (isXml) problems.add('Its body is XML, which the caller has to write as text');
  const plain = `The body, as ${contentType.slice(0, 100)}`;
  const how = encoding === 'bytes' ? FILE : isXml ? `${plain}. ${describeXml(given)}` : plain;
  const schema = {
    ...(given['type'] === 'string' ? given : { type: 'string' }),
    description: shorten(about === undefined ? how : `${about}\n${how}`, detail.text + how.length),
  };
  const required = member(requestBody, 'required') === true;
  const argument = args.add('body', 'request', schema, required);
  return { body: { contentType, encoding, required, argument, members: [] }, more: {} };
}

/** Tells an object or a list, which the gateway writes as JSON or as a form, and not as XML. */
const isStructured = (schema: JsonSchema): boolean =>
  ['object', 'array'].some((type) => [schema['type']].flat().includes(type)) ||
  schema['properties'] !== undefined;

/** Its schema is not that of the argument, so the members are named in words. */
function describeXml(schema: JsonSchema): string {
  const names = Object.keys(objectOf(schema, 'properties')).slice(0, NAMED_MEMBERS);
  const about = names.length === 0 ? '' : ` Its elements: ${names.join(', ')}.`;
  return `Write the XML yourself, as text.${about}`;
}

/** Files of multipart are named by their handle, however the description says their bytes. */
function describeFiles(
  made: JsonSchema,
  source: unknown,
  { encoding }: Media,
  { description }: BodyContext,
): JsonSchema {
  const properties = made['properties'];
  if (encoding !== 'multipart' || !isObject(properties)) return made;
  const changed = Object.entries(properties).map(([name, schema]) => {
    const kind = isFileOrFiles(propertyOf(source, name, description), description);
    if (kind === null) return [name, schema];
    const about = textOf(schema, 'description');
    const text = about === undefined ? FILE : `${about}\n${FILE}`;
    return [
      name,
      kind === 'one'
        ? { type: 'string', description: text }
        : { type: 'array', items: { type: 'string' }, description: text },
    ];
  });
  return { ...made, properties: Object.fromEntries(changed) };
}

/** Finds a property of an object schema, also in the parts of its `allOf`. */
function propertyOf(schema: unknown, name: string, description: Description, depth = MAX_UNIONS): unknown {
  const followed = description.follow(schema);
  if (followed.problem !== undefined || depth === 0) return undefined;
  const { node } = followed;
  const own = member(member(node, 'properties'), name);
  if (own !== undefined) return own;
  for (const part of listOf(node, 'allOf')) {
    const found = propertyOf(part, name, description, depth - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function readEncoding(
  name: string,
  schema: unknown,
  { encoding, node }: Media,
  { description }: BodyContext,
): OperationMember {
  if (encoding === 'json') return { name };
  const said = objectOf(objectOf(node, 'encoding'), name);
  const contentType = textOf(said, 'contentType');
  const kind =
    encoding === 'multipart' ? isFileOrFiles(propertyOf(schema, name, description), description) : null;
  const style = STYLES.find((known) => known === member(said, 'style'));
  const explode = member(said, 'explode');
  return {
    name,
    // A list or a pattern of types leaves the choice to the file.
    ...(contentType !== undefined && MEDIA_TYPE.test(contentType) && !/[,*]/.test(contentType)
      ? { contentType }
      : {}),
    ...(kind === null ? {} : { isFile: true }),
    ...(style === undefined ? {} : { style }),
    ...(typeof explode === 'boolean' ? { explode } : {}),
    ...(member(said, 'allowReserved') === true ? { allowReserved: true } : {}),
  };
}

function isFlattenable(schema: JsonSchema): boolean {
  const members = Object.keys(objectOf(schema, 'properties')).length;
  if (schema['type'] !== 'object' || members === 0 || members > MAX_MEMBERS) return false;
  const open = schema['additionalProperties'];
  if (open !== undefined && open !== false) return false;
  if (schema['allOf'] !== undefined || schema['not'] !== undefined || schema['enum'] !== undefined)
    return false;
  return listOf(schema, 'anyOf').every(isOnlyRequired);
}

/** Tells the branches that say which members go together, and nothing else. */
function isOnlyRequired(branch: unknown): boolean {
  return (
    isObject(branch) &&
    Array.isArray(branch['required']) &&
    Object.keys(branch).every((key) => ['required', 'type', 'description'].includes(key))
  );
}

function addMembers(
  schema: JsonSchema,
  required: boolean,
  { contentType, encoding }: Media,
  encodings: ReadonlyMap<string, OperationMember>,
  args: Arguments,
): ReadBody {
  const requiredMembers = new Set(listOf(schema, 'required'));
  const names = new Map<unknown, string>();
  const members = Object.entries(objectOf(schema, 'properties')).map(([name, property]): OperationMember => {
    const argument = args.add(
      name,
      'body',
      isObject(property) ? property : {},
      required && requiredMembers.has(name),
    );
    names.set(name, argument);
    return { argument, ...(encodings.get(name) ?? { name }) };
  });
  const any = listOf(schema, 'anyOf').map((branch) => ({
    required: listOf(branch, 'required').flatMap((name) => names.get(name) ?? []),
  }));
  return {
    body: { contentType, encoding, required, members },
    more: any.length > 0 && required ? { anyOf: any } : {},
  };
}

function addWhole(
  requestBody: unknown,
  schema: JsonSchema,
  required: boolean,
  { contentType, encoding }: Media,
  encodings: ReadonlyMap<string, OperationMember>,
  args: Arguments,
  { detail }: BodyContext,
): ReadBody {
  const about = textOf(requestBody, 'description');
  const described = about === undefined ? schema : { ...schema, description: shorten(about, detail.text) };
  const argument = args.add('body', 'request', described, required);
  // Only what differs from the usual way has to be said.
  const members = [...encodings.values()].filter((encoded) => Object.keys(encoded).length > 1);
  return { body: { contentType, encoding, required, argument, members }, more: {} };
}
