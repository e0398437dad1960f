// Rebuilds Linear's GraphQL schema from the types in its published SDK, which were generated from the schema.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSchema, type GraphQLSchema } from 'graphql';

interface Field {
  name: string;
  type: string;
}

interface Types {
  fields: Map<string, Field[]>;
  unions: Map<string, string>;
  enums: Map<string, string[]>;
}

type Kind = 'type' | 'input';
const BUILT_IN = new Set(['ID', 'String', 'Boolean', 'Int', 'Float']);

export function readLinearSchema(): GraphQLSchema {
  const types = parse(generatedTypes());
  const written = new Map<string, string>();
  write('Query', 'type', types, written);
  write('Mutation', 'type', types, written);
  return buildSchema([...written.values()].join('\n'));
}

function generatedTypes(): string {
  const folder = new URL('.', import.meta.resolve('@linear/sdk'));
  const file = readdirSync(fileURLToPath(folder)).find((name) => /^index-.*\.d\.mts$/.test(name));
  if (file === undefined) throw new Error('@linear/sdk keeps its types elsewhere');
  return readFileSync(new URL(file, folder), 'utf8').replace(/\/\*\*.*?\*\//gs, '');
}

function parse(text: string): Types {
  const fields = new Map(
    Array.from(text.matchAll(/^type (\w+) = (?:\w+ & )*\{$(.*?)^\};$/gms), ([, name = '', body = '']) => [
      name,
      Array.from(body.matchAll(/^ {2}(\w+)\??: (.*);$/gm), ([, field = '', type = '']) => ({
        name: field,
        type,
      })),
    ]),
  );
  const unions = new Map(
    Array.from(text.matchAll(/^type (\w+) =([\s\w|]+);$/gm), ([, name = '', members = '']) => [
      name,
      members.trim().replace(/^\|/, ''),
    ]),
  );
  const enums = new Map(
    Array.from(text.matchAll(/^declare enum (\w+) \{$(.*?)^\}$/gms), ([, name = '', body = '']) => [
      name,
      Array.from(body.matchAll(/= "(\w+)"/g), ([, value = '']) => value),
    ]),
  );
  return { fields, unions, enums };
}

/** Writes a type and then every type that it refers to. */
function write(name: string, kind: Kind, types: Types, written: Map<string, string>): void {
  if (written.has(name) || BUILT_IN.has(name)) return;
  const { fields, unions, enums } = types;
  written.set(name, '');
  const follow = (type: string, of: Kind) => {
    write(type.replace(/[[\]!]/g, ''), of, types, written);
    return type;
  };
  const members = unions.get(name);
  const values = enums.get(name);
  const own = fields.get(name)?.filter((field) => field.name !== '__typename');
  if (members !== undefined) {
    for (const member of members.split('|')) follow(member.trim(), 'type');
    written.set(name, `union ${name} = ${members}`);
  } else if (values !== undefined) written.set(name, `enum ${name} { ${values.join(' ')} }`);
  else if (own === undefined) written.set(name, `scalar ${name}`);
  else {
    const lines = own.map((field) => {
      const args = argumentsOf(name, field.name, fields).map(
        (each) => `${each.name}: ${follow(toGraphql(each.type), 'input')}`,
      );
      const list = args.length === 0 ? '' : `(${args.join(', ')})`;
      return `${field.name}${list}: ${follow(toGraphql(field.type), kind)}`;
    });
    written.set(name, `${kind} ${name} { ${lines.join('\n')} }`);
  }
}

function argumentsOf(type: string, field: string, fields: Types['fields']): Field[] {
  return fields.get(`${type}${field.charAt(0).toUpperCase()}${field.slice(1)}Args`) ?? [];
}

/** Converts a type: `Maybe<Array<Scalars["String"]>>` becomes `[String!]`. */
function toGraphql(type: string): string {
  const maybe = /^(?:Input)?Maybe<(.*)>$/.exec(type)?.[1];
  if (maybe !== undefined) return named(maybe);
  return `${named(type)}!`;
}

function named(type: string): string {
  const items = /^Array<(.*)>$/.exec(type)?.[1];
  if (items !== undefined) return `[${toGraphql(items)}]`;
  return /^Scalars\["(\w+)"\]$/.exec(type)?.[1] ?? type;
}
