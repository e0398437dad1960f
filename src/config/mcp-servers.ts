// Reads the operator's file of MCP servers, in the `mcpServers` form that clients use. decision: 044
import * as z from 'zod';
import { ConfigError } from './config-error.ts';
import { createTemplateReader, fieldsOf, type Template, type TemplateReader } from './server-template.ts';

interface Named {
  /** Made of a-z, 0-9 and _. */
  name: string;
  fields: readonly string[];
}

/** A server that the gateway starts. */
export interface CommandServer extends Named {
  command: string;
  args: readonly Template[];
  env: Readonly<Record<string, Template>>;
  /** Null for the process's own empty folder. */
  cwd: string | null;
  /** One process serves everybody. */
  isShared: boolean;
  /** The values that came from the operator's environment. */
  secrets: readonly string[];
}

/** A server that is reached over HTTP. `{field}` in a header stands for a person's value. */
export interface AddressServer extends Named {
  url: string;
  headers: Readonly<Record<string, string>>;
}

export interface ServersFile {
  servers: readonly (CommandServer | AddressServer)[];
  /** Sentences for the operator's log. */
  warnings: readonly string[];
}

export interface ReadOptions {
  /** The path, as the operator wrote it. */
  file: string;
  /** The operator's environment, for `${env:NAME}`. */
  env: Readonly<Record<string, string | undefined>>;
  /** Names that something else of the gateway has. */
  isTaken: (name: string) => boolean;
}

const MAX_NAME_LENGTH = 32;
/** Stands behind a name that something else of the gateway has. */
const NAME_END = '_mcp';
const HTTP_TYPES = ['http', 'sse', 'streamable-http', 'streamableHttp'];
const TYPES = ['stdio', ...HTTP_TYPES];
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;
// RFC 9110 §5.6.2: the characters of a token.
const HEADER = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

const TEXTS = 'must be an object of texts such as {"KEY": "value"}; write numbers and true in quotes';
const Entry = z.looseObject({
  type: z.enum(TYPES, `"type" must be one of: ${TYPES.join(', ')}`).optional(),
  command: z
    .string('"command" must be a text such as "npx"')
    .min(1, '"command" must not be empty')
    .optional(),
  args: z
    .array(
      z.string(),
      '"args" must be a list of texts such as ["-y", "@scope/server"]; write numbers in quotes',
    )
    .optional(),
  env: z.record(z.string(), z.string(), `"env" ${TEXTS}`).optional(),
  cwd: z.string('"cwd" must be the path of a folder').min(1, '"cwd" must be the path of a folder').optional(),
  url: z.string('"url" must be an address such as "https://mcp.example.com/mcp"').optional(),
  headers: z.record(z.string(), z.string(), `"headers" ${TEXTS}`).optional(),
  shared: z.boolean('"shared" must be true or false').optional(),
  disabled: z.boolean('"disabled" must be true or false').optional(),
});
type Entry = z.infer<typeof Entry>;

/** Throws a ConfigError that lists everything that is wrong. Its sentences repeat no value of the file. */
export function readServersFile(text: string, { file, env, isTaken }: ReadOptions): ServersFile {
  const problems: string[] = [];
  const warnings: string[] = [];
  const entries = entriesOf(text, file).filter(([, value]) => !isDisabled(value));
  const names = nameServers(
    entries.map(([given]) => given),
    isTaken,
    warnings,
  );
  const servers = entries.flatMap(([given, value]) => {
    const name = names.get(given);
    if (name === undefined) return [];
    const label = labelOf(given);
    const complain = (sentence: string) => void problems.push(`${label}: ${sentence}`);
    const warn = (sentence: string) => void warnings.push(`${label}: ${sentence}`);
    const parsed = Entry.safeParse(value);
    if (!parsed.success) {
      const entry = typeof value === 'object' && value !== null && !Array.isArray(value);
      const sentences = entry
        ? parsed.error.issues.map(({ message, path }) => inWords(message, path))
        : [SHAPE];
      for (const sentence of new Set(sentences)) complain(sentence);
      return [];
    }
    for (const key of Object.keys(parsed.data))
      if (!Object.hasOwn(Entry.shape, key)) warn(`${JSON.stringify(key)} is ignored`);
    const reader = createTemplateReader(env, complain, warn);
    const server = toServer(parsed.data, reader, complain, warn);
    return server === null ? [] : [{ ...server, name, fields: reader.fields() }];
  });
  if (problems.length > 0)
    throw new ConfigError(
      problems.map((message) => ({ name: 'MCP_SERVERS', message: `${file}: ${message}` })),
    );
  return { servers, warnings };
}

const SHAPE =
  'must be an object: {"command": "npx", "args": ["-y", "@scope/server"]} or {"url": "https://mcp.example.com/mcp"}';

/** zod's own message for an element of a list or a record does not name the key. */
function inWords(message: string, [key, inner]: readonly PropertyKey[]): string {
  if (inner === undefined) return message;
  const place = typeof inner === 'number' ? `${String(key)}[${inner}]` : `${String(key)}.${String(inner)}`;
  return `"${place}" must be a text; write numbers and true in quotes`;
}

function entriesOf(text: string, file: string): [string, unknown][] {
  const refuse = (message: string) =>
    new ConfigError([{ name: 'MCP_SERVERS', message: `${file}: ${message}` }]);
  const content = text.replace(/^\uFEFF/, '');
  let whole: unknown;
  try {
    whole = JSON.parse(content);
  } catch (error) {
    // The error's own message repeats a part of the file.
    const line = /line (\d+)/.exec(String(error))?.[1];
    throw refuse(
      `is not valid JSON${line === undefined ? '' : ` in line ${line}`}; it may have no comments and no comma before } or ]`,
    );
  }
  const root = z.looseObject({ mcpServers: z.record(z.string(), z.unknown()) }).safeParse(whole);
  if (root.success) return Object.entries(root.data.mcpServers);
  const isRenamed = z.looseObject({ servers: z.unknown() }).safeParse(whole).success;
  throw refuse(
    isRenamed
      ? 'has "servers" and no "mcpServers"; rename it'
      : 'must be an object {"mcpServers": {"<name>": {"command": "…"}}}',
  );
}

const labelOf = (given: string): string => `server ${JSON.stringify(given)}`;

const isDisabled = (entry: unknown): boolean =>
  z.looseObject({ disabled: z.literal(true) }).safeParse(entry).success;

/** A server whose name cannot stand is missing in the answer, because files of many servers hold such names. */
function nameServers(
  all: readonly string[],
  isTaken: (name: string) => boolean,
  warnings: string[],
): Map<string, string> {
  const named = new Map<string, string>();
  const owners = new Map<string, string>();
  const warn = (given: string, sentence: string) => void warnings.push(`${labelOf(given)}: ${sentence}`);

  function take(given: string, name: string): boolean {
    const other = owners.get(name);
    if (name === '' || name.length > MAX_NAME_LENGTH)
      warn(given, `is left out, because a name has 1 to ${MAX_NAME_LENGTH} letters, digits and _; rename it`);
    else if (other !== undefined)
      warn(
        given,
        `is left out, because it would be called "${name}" as server ${JSON.stringify(other)} is; rename one`,
      );
    else {
      owners.set(name, given);
      named.set(given, name);
    }
    return named.has(given);
  }

  for (const given of all) if (!isTaken(toName(given))) take(given, toName(given));
  // A name that the file itself gives comes before one that is made here.
  for (const given of all) {
    const name = toName(given);
    if (!isTaken(name)) continue;
    if (take(given, `${name}${NAME_END}`))
      warn(given, `is called "${name}${NAME_END}", because "${name}" is a name of the gateway's own`);
  }
  return named;
}

function toName(given: string): string {
  return given
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '');
}

type Say = (sentence: string) => void;
type Unnamed = Omit<CommandServer, keyof Named> | Omit<AddressServer, keyof Named>;

function toServer(entry: Entry, reader: TemplateReader, complain: Say, warn: Say): Unnamed | null {
  const { type, command, url } = entry;
  if (command !== undefined && url !== undefined) {
    complain('has "command" and "url"; remove one of them');
    return null;
  }
  if (command !== undefined) {
    if (type !== undefined && type !== 'stdio')
      complain(`has "command", so "type" must be "stdio"; remove "type"`);
    if (entry.headers !== undefined) complain('has "command", so "headers" cannot be sent; use "env"');
    return toCommand({ ...entry, command }, reader, complain, warn);
  }
  if (url !== undefined) {
    if (type === 'stdio')
      complain('has "url", so "type" cannot be "stdio"; write "http", or "command" for "url"');
    for (const key of ['args', 'env', 'cwd', 'shared'] as const)
      if (entry[key] !== undefined) complain(`has "url", so "${key}" cannot be used; remove it`);
    return toAddress({ ...entry, url }, reader, complain);
  }
  complain('needs "command" to be started, or "url" to be reached over HTTP');
  return null;
}

function toCommand(
  { command, args = [], env = {}, cwd, shared }: Entry & { command: string },
  reader: TemplateReader,
  complain: Say,
  warn: Say,
): Omit<CommandServer, keyof Named> {
  for (const key of Object.keys(env))
    if (!VARIABLE.test(key))
      complain(`"env" has a key that is no name of a variable; use letters, digits and _`);
  const templates = args.map((arg, index) => reader.read(`args[${index}]`, arg));
  // Everybody who can log in to the machine can list the arguments of its processes.
  if (fieldsOf(templates).length > 0 || args.some((arg) => arg.includes('${env:')))
    warn(
      '"args" hold values that everybody on this machine can see in the list of processes; use "env" if the server can',
    );
  const variables = Object.fromEntries(
    Object.entries(env).map(([key, value]) => [key, reader.read(`env.${key}`, value)]),
  );
  const hasFields = reader.fields().length > 0;
  if (shared === true && hasFields)
    complain('has values of each person, so "shared" cannot be true; remove it');
  return {
    command: reader.readFixed('command', command),
    args: templates,
    env: variables,
    cwd: cwd === undefined ? null : reader.readFixed('cwd', cwd),
    isShared: shared ?? !hasFields,
    secrets: reader.secrets(),
  };
}

function toAddress(
  { url, headers = {} }: Entry & { url: string },
  reader: TemplateReader,
  complain: Say,
): Omit<AddressServer, keyof Named> {
  const address = URL.parse(reader.readFixed('url', url));
  if (
    address === null ||
    !/^https?:$/.test(address.protocol) ||
    address.username !== '' ||
    address.hash !== ''
  )
    complain('"url" must be an http or https address without a user name and without #');
  for (const key of Object.keys(headers))
    if (!HEADER.test(key)) complain('"headers" has a key that is no name of a header');
  return {
    url: address?.href ?? '',
    headers: Object.fromEntries(
      Object.entries(headers).map(([key, value]) => [
        key,
        toHeader(key, reader.read(`headers.${key}`, value)),
      ]),
    ),
  };

  function toHeader(key: string, template: Template): string {
    // Imports write a field as `{field}`, so fixed text must not look like one.
    if (template.some((part) => typeof part === 'string' && /[{}\0\r\n]/.test(part)))
      complain(`"headers.${key}" must have no braces and no line breaks beside \${field} and \${env:NAME}`);
    return template.map((part) => (typeof part === 'string' ? part : `{${part.field}}`)).join('');
  }
}
