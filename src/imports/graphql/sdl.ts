// Writes the types of a GraphQL schema, as introspection answers them, in the schema language. GraphQL §3
import * as z from 'zod';

/** As deep as introspection asks: a list of lists, neither nullable, needs five levels. */
const REF_DEPTH = 7;

interface TypeRef {
  kind: string;
  name?: string | null | undefined;
  ofType?: TypeRef | null | undefined;
}
const Ref: z.ZodType<TypeRef> = z.lazy(() =>
  z.object({ kind: z.string(), name: z.string().nullish(), ofType: Ref.nullish() }),
);
const text = () => z.string().nullish();
const Named = z.object({ name: z.string() });
const Input = z.object({ name: z.string(), description: text(), type: Ref, defaultValue: text() });
const deprecation = { isDeprecated: z.boolean().nullish(), deprecationReason: text() };
const Field = z.object({
  name: z.string(),
  description: text(),
  args: z.array(Input),
  type: Ref,
  ...deprecation,
});

const Value = z.object({ name: z.string(), description: text(), ...deprecation });

export const IntrospectedType = z.object({
  kind: z.string(),
  name: z.string(),
  description: text(),
  fields: z.array(Field).nullish(),
  inputFields: z.array(Input).nullish(),
  interfaces: z.array(Named).nullish(),
  enumValues: z.array(Value).nullish(),
  possibleTypes: z.array(Named).nullish(),
});
export type IntrospectedType = z.infer<typeof IntrospectedType>;

const refOf = (depth: number): string =>
  depth === 0 ? 'kind name' : `kind name ofType { ${refOf(depth - 1)} }`;
const REF = refOf(REF_DEPTH);
const INPUT = `name description type { ${REF} } defaultValue`;

/** What introspection is asked for each type. */
export const TYPE_FIELDS = [
  'kind name description',
  `fields(includeDeprecated: true) { name description args { ${INPUT} } type { ${REF} } isDeprecated deprecationReason }`,
  `inputFields { ${INPUT} }`,
  'interfaces { name }',
  'enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason }',
  'possibleTypes { name }',
].join(' ');

export function writeType(type: IntrospectedType): string {
  const { enumValues, fields, inputFields, interfaces, kind, name, possibleTypes } = type;
  const about = describe(type.description, '');
  switch (kind) {
    case 'SCALAR':
      return `${about}scalar ${name}`;
    case 'UNION':
      return `${about}union ${name} = ${namesOf(possibleTypes, ' | ')}`;
    case 'ENUM':
      return `${about}enum ${name} ${block((enumValues ?? []).map(writeValue))}`;
    case 'INPUT_OBJECT':
      return `${about}input ${name} ${block((inputFields ?? []).map((field) => writeDescribed(field, '  ')))}`;
    default: {
      const parents = namesOf(interfaces, ' & ');
      const implemented = parents === '' ? '' : ` implements ${parents}`;
      const word = kind === 'INTERFACE' ? 'interface' : 'type';
      return `${about}${word} ${name}${implemented} ${block((fields ?? []).map(writeField))}`;
    }
  }
}

const namesOf = (types: readonly { name: string }[] | null | undefined, between: string): string =>
  (types ?? []).map(({ name }) => name).join(between);

const block = (lines: readonly string[]): string => `{\n${lines.join('\n')}\n}`;

const writeValue = (value: z.infer<typeof Value>): string =>
  `${describe(value.description, '  ')}  ${value.name}${deprecated(value)}`;

const writeDescribed = (input: z.infer<typeof Input>, indent: string): string =>
  `${describe(input.description, indent)}${indent}${writeInput(input)}`;

function writeField(field: z.infer<typeof Field>): string {
  const { args, description, name, type } = field;
  return `${describe(description, '  ')}  ${name}${writeArguments(args)}: ${writeRef(type)}${deprecated(field)}`;
}

function writeArguments(args: readonly z.infer<typeof Input>[]): string {
  if (args.length === 0) return '';
  const isPlain = args.every(({ description }) => (description ?? '') === '');
  if (isPlain) return `(${args.map(writeInput).join(', ')})`;
  const lines = args.map((arg) => writeDescribed(arg, '    '));
  return `(\n${lines.join('\n')}\n  )`;
}

function writeInput({ defaultValue, name, type }: z.infer<typeof Input>): string {
  const value = defaultValue === undefined || defaultValue === null ? '' : ` = ${defaultValue}`;
  return `${name}: ${writeRef(type)}${value}`;
}

function writeRef({ kind, name, ofType }: TypeRef): string {
  const inner = ofType === undefined || ofType === null ? '…' : writeRef(ofType);
  if (kind === 'NON_NULL') return `${inner}!`;
  return kind === 'LIST' ? `[${inner}]` : (name ?? '…');
}

function describe(description: string | null | undefined, indent: string): string {
  const words = description?.trim() ?? '';
  if (words === '') return '';
  const lines = words
    .replaceAll('"""', String.raw`\"""`)
    .split('\n')
    .map((line) => `${indent}${line.trimEnd()}`);
  return lines.length === 1
    ? `${indent}"""${lines[0]?.trim()}"""\n`
    : `${indent}"""\n${lines.join('\n')}\n${indent}"""\n`;
}

const deprecated = ({
  deprecationReason,
  isDeprecated,
}: {
  isDeprecated?: boolean | null | undefined;
  deprecationReason?: string | null | undefined;
}): string =>
  isDeprecated === true ? ` @deprecated(reason: ${JSON.stringify(deprecationReason ?? '')})` : '';
