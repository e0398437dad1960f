// Answers the schema of a GraphQL endpoint in pages. Each page asks the service for its own types only.
import * as z from 'zod';
import { IntrospectedType, TYPE_FIELDS, writeType } from './sdl.ts';

/** Returns the payload of an answer without errors. */
type Ask = (query: string) => Promise<unknown>;

/** Some services allow no more aliases than this in one document. */
export const TYPES_PER_PAGE = 15;
const NAME = /^[_A-Za-z][_0-9A-Za-z]{0,254}$/;
const BUILT_IN = new Set(['String', 'Int', 'Float', 'Boolean', 'ID']);

const Root = z.object({ name: z.string() }).nullish();
const Listed = z.object({
  data: z.object({
    __schema: z.object({
      queryType: Root,
      mutationType: Root,
      subscriptionType: Root,
      types: z.array(z.object({ name: z.string() })),
    }),
  }),
});
const Described = z.object({ data: z.record(z.string(), IntrospectedType.nullable()) });

const LIST =
  'query IntrospectionQuery { __schema { queryType { name } mutationType { name } subscriptionType { name } types { name } } }';

export async function readSchema(args: Record<string, unknown>, ask: Ask): Promise<unknown> {
  const { find, page, types } = args;
  if (Array.isArray(types) && types.length > 0) {
    const names = types.map(String);
    return { sdl: (await describe(names, ask)).map(writeType).join('\n\n') };
  }
  const { all, roots } = await list(ask);
  const wanted = typeof find === 'string' ? find.toLowerCase() : '';
  const others = all.filter((name) => !roots.includes(name) && name.toLowerCase().includes(wanted));
  const names = [...roots, ...others];
  const pages = Math.max(1, Math.ceil(names.length / TYPES_PER_PAGE));
  const at = Math.min(Math.max(typeof page === 'number' ? page : 1, 1), pages);
  const shown = names.slice((at - 1) * TYPES_PER_PAGE, at * TYPES_PER_PAGE);
  const described = (await describe(shown, ask)).map((type) =>
    roots.includes(type.name) ? narrow(type, wanted) : type,
  );
  const sdl = described
    .filter(({ fields, kind }) => kind !== 'OBJECT' || fields?.length !== 0)
    .map(writeType);
  return { sdl: sdl.join('\n\n'), page: at, pages };
}

/** The fields of the root types, whose names say what the service does, are searched too. */
const narrow = (type: IntrospectedType, wanted: string): IntrospectedType => ({
  ...type,
  fields: type.fields?.filter(({ name }) => name.toLowerCase().includes(wanted)),
});

async function list(ask: Ask): Promise<{ all: string[]; roots: string[] }> {
  const listed = Listed.safeParse(await ask(LIST)).data;
  if (listed === undefined) throw new Error('The service does not describe its schema');
  const { mutationType, queryType, subscriptionType, types } = listed.data.__schema;
  const usable = (name: string) => NAME.test(name) && !name.startsWith('__') && !BUILT_IN.has(name);
  return {
    roots: [queryType, mutationType, subscriptionType].flatMap((root) =>
      root && usable(root.name) ? [root.name] : [],
    ),
    all: types
      .map(({ name }) => name)
      .filter(usable)
      .toSorted(),
  };
}

async function describe(names: readonly string[], ask: Ask): Promise<IntrospectedType[]> {
  const wrong = names.find((name) => !NAME.test(name));
  if (wrong !== undefined) throw new Error(`${JSON.stringify(wrong)} is not the name of a type`);
  if (names.length === 0) return [];
  const asked = names.map((name, index) => `t${index}: __type(name: "${name}") { ${TYPE_FIELDS} }`);
  const described = Described.safeParse(await ask(`query IntrospectionQuery { ${asked.join(' ')} }`)).data;
  if (described === undefined) throw new Error('The service does not describe its schema');
  return names.map((name, index) => {
    const type = described.data[`t${index}`];
    if (type === undefined || type === null)
      throw new Error(`There is no type ${name}. Look for it with find`);
    return type;
  });
}
