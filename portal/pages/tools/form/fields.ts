// Turns a JSON Schema into form fields. Each property becomes the simplest field that can hold all its values.
export type Kind =
  | 'text'
  | 'file'
  | 'long-text'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'choice'
  | 'lines'
  | 'json';

export interface Field {
  name: string;
  kind: Kind;
  required: boolean;
  description: string;
  default: unknown;
  /** The values of a choice. */
  choices: readonly unknown[];
  /** The type of each line. */
  each: 'text' | 'number' | 'integer';
  /** Set for a list whose items take files. */
  items?: FileItems;
}

export interface FileItems {
  /** The member of an item that takes the file. */
  member: string;
  /** The member that cannot be left out, and takes the name of the file. */
  name?: string;
}

type Shape = Pick<Field, 'kind' | 'choices' | 'each' | 'items'>;

type Schema = Record<string, unknown>;

// The pattern of file references begins like this. decision: 035
const FILE_PATTERN = '^(file:)?f-';
const LONG = /body|content|text|message|description|comment/i;

export function readFields(schema: unknown): Field[] {
  if (!isSchema(schema) || !isSchema(schema['properties'])) return [];
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(schema['properties']).map(([name, property]) => {
    const outer = isSchema(property) ? property : {};
    const inner = withoutNull(outer);
    const description = outer['description'] ?? inner['description'];
    return {
      name,
      ...readKind(name, inner),
      required: required.includes(name),
      description: typeof description === 'string' ? description : '',
      default: outer['default'] ?? inner['default'],
    };
  });
}

function readKind(name: string, schema: Schema): Shape {
  const plain = (kind: Kind) => ({ kind, choices: [], each: 'text' }) as const;
  const choices = choicesOf(schema);
  if (choices !== null) return { kind: 'choice', choices, each: 'text' };
  switch (schema['type']) {
    case 'string':
      if (takesFile(schema)) return plain('file');
      return plain(LONG.test(name) ? 'long-text' : 'text');
    case 'number':
    case 'integer':
    case 'boolean':
      return plain(schema['type']);
    case 'array':
      return readItems(schema['items']);
    default:
      return plain('json');
  }
}

// People write a list of plain values one per line. Any other list is JSON.
function readItems(items: unknown): Shape {
  const type = isSchema(items) ? items['type'] : undefined;
  if (type === 'string') return { kind: 'lines', choices: [], each: 'text' };
  if (type === 'number' || type === 'integer') return { kind: 'lines', choices: [], each: type };
  return { kind: 'json', choices: [], each: 'text', ...readFileItems(items) };
}

function readFileItems(item: unknown): { items?: FileItems } {
  if (!isSchema(item) || !isSchema(item['properties'])) return {};
  const members = Object.entries(item['properties']);
  const member = members.find(([, schema]) => isSchema(schema) && takesFile(withoutNull(schema)))?.[0];
  if (member === undefined) return {};
  const required: unknown[] = Array.isArray(item['required']) ? item['required'] : [];
  const name = ['path', 'name', 'filename'].find((each) => required.includes(each));
  return { items: { member, ...(name === undefined ? {} : { name }) } };
}

function takesFile({ pattern }: Schema): boolean {
  return typeof pattern === 'string' && pattern.startsWith(FILE_PATTERN);
}

function choicesOf(schema: Schema): readonly unknown[] | null {
  if (Array.isArray(schema['enum'])) return schema['enum'];
  if ('const' in schema) return [schema['const']];
  const variants = variantsOf(schema);
  if (variants.length === 0) return null;
  const each = variants.map(choicesOf);
  return each.every((choices) => choices !== null) ? each.flat() : null;
}

// Drops null: an empty field is left out of the call instead.
function withoutNull(schema: Schema): Schema {
  const type = schema['type'];
  if (Array.isArray(type)) {
    const others = type.filter((each) => each !== 'null');
    return others.length === 1 ? { ...schema, type: others[0] } : { ...schema, type: undefined };
  }
  const variants = variantsOf(schema).filter((variant) => variant['type'] !== 'null');
  const [only] = variants;
  return variants.length === 1 && only !== undefined ? only : schema;
}

function variantsOf(schema: Schema): Schema[] {
  const variants = schema['anyOf'] ?? schema['oneOf'];
  return Array.isArray(variants) ? variants.filter(isSchema) : [];
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
