// Makes names that a model reads easily: of tools, of arguments and of the import itself.

const MAX_NAME = 64;
const MAX_ARGUMENT = 64;
// What frameworks and authors write around the name of an API.
const NOISE =
  /^(the|api|apis|rest|restful|http|https|web|openapi|swagger|spec|specification|specifications|definition|official|public|documentation|docs|service|reference|server|v?\d[\d.]*|s|of|for)$/;

/** Splits camelCase and drops accents and everything that is no letter or digit. */
function words(text: string): string[] {
  return (
    text
      .slice(0, 300)
      .normalize('NFKD')
      .replaceAll(/[\u0300-\u036F'\u2019]/g, '')
      // The plural of an acronym, such as "APIs", is one word.
      .replaceAll(/[A-Z]{2,}s(?![a-z])/g, (acronym) => acronym[0] + acronym.slice(1).toLowerCase())
      .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
      .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
      .toLowerCase()
      .split(/[^a-z\d]+/)
      .filter((word) => word !== '')
  );
}

const join = (parts: readonly string[]) => parts.join('_').slice(0, MAX_NAME).replace(/_+$/, '');

/** What an operation is named by. */
export interface Unnamed {
  id: string | undefined;
  method: string;
  path: string;
  tags: readonly string[];
}

/** Prefers the operation's own id, where a person could have written it. Imports of version 0.2 keep these names. */
export function nameOperation({ id, method, path }: Unnamed): string {
  const own = id === undefined ? [] : words(withoutNoise(id, method, path));
  return isReadable(own) ? join(own) : nameByPath(method, path);
}

// Methods of a class, which say nothing without the name of the class.
const GENERIC =
  /^(list|get|find|search|query|read|retrieve|fetch|show|index|all|count|create|add|new|store|save|insert|post|update|edit|put|patch|replace|modify|delete|destroy|remove|purge|clear|execute|run|handle|invoke|call)$/;
// What frameworks write behind the name of a class.
const CLASS_NOISE =
  /^(controller|resource|api|apis|service|handler|router|routes|endpoint|endpoints|rest|impl)$/;

/**
 * Names operations so that each name says what is done to what, also where the ids are those of methods. `prefix` is what
 * every name is going to begin with.
 */
export function createNameOperation(all: readonly Unnamed[], prefix: string): (operation: Unnamed) => string {
  const shared = sharedWords(all);
  return ({ id, method, path, tags }) => {
    const given = id === undefined ? [] : words(withoutNoise(id, method, path));
    const own = withoutPath(given, path);
    const plain =
      own.length > 1 ? own.filter((word, index) => index < own.length - 1 || !/^\d+$/.test(word)) : own;
    const named = isVague(plain)
      ? [...plain, ...subjectOf(tags, path).filter((word) => !plain.includes(word))]
      : plain;
    const known = shared.get(tags[0] ?? '') ?? 0;
    const isLong = `${prefix}_${named.join('_')}`.length > MAX_NAME;
    const short = isLong && named.length > known ? named.slice(known) : named;
    return isReadable(short) ? join(short) : nameByPath(method, path);
  };
}

/** `list` and `findAll` do not say of what. */
const isVague = (own: readonly string[]): boolean =>
  own.length > 0 && own.every((word) => GENERIC.test(word) || /^(one|many)$/.test(word));

/**
 * Litestar writes the path before the name of the function. Django writes it before a verb, which says nothing alone:
 * `bikes_purge_create`.
 */
function withoutPath(own: readonly string[], path: string): readonly string[] {
  const before = words(path);
  const isBefore =
    before.length > 0 && own.length > before.length && before.every((word, at) => own[at] === word);
  const after = own.slice(before.length);
  return isBefore && !isVague(after) ? after : own;
}

/** The thing that a method works on: its tag, or the last segment of its path that is no parameter. */
function subjectOf(tags: readonly string[], path: string): readonly string[] {
  const tag = words(tags[0] ?? '').filter((word) => !CLASS_NOISE.test(word));
  if (tag.length > 0) return tag;
  const segment = path.split('/').findLast((part) => part !== '' && !part.includes('{')) ?? '';
  return words(segment);
}

/** How many words the class or service has that all ids of a tag begin with, such as `BikeService_`. */
function sharedWords(all: readonly Unnamed[]): ReadonlyMap<string, number> {
  const byTag = new Map<string, Set<string>>();
  for (const { id, tags } of all) {
    if (id === undefined) continue;
    const known = byTag.get(tags[0] ?? '') ?? new Set();
    byTag.set(tags[0] ?? '', known.add(/^([^_./]+)[_./]./.exec(id)?.[1] ?? ''));
  }
  return new Map(
    [...byTag].map(([tag, classes]) => {
      const [only = '', ...others] = classes;
      return [tag, others.length === 0 ? words(only).length : 0];
    }),
  );
}

function withoutNoise(id: string, method: string, path: string): string {
  // FastAPI adds the path and the method, Spring adds the method and a number, Nest the name of its class.
  const generated = `${path.replaceAll(/\W/g, '_')}_${method.toLowerCase()}`;
  const own = id.endsWith(generated) && id.length > generated.length ? id.slice(0, -generated.length) : id;
  return own
    .replace(/Using(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)(_\d+)?$/, '')
    .replace(/^([A-Za-z]+)Controller(_v\d+)?_(?=.)/, '$1_');
}

function isReadable(parts: readonly string[]): boolean {
  if (parts.length === 0 || parts.join('_').length > MAX_NAME) return false;
  if (!/[a-z]{2}/.test(parts.join(''))) return false;
  // Digests and random ids have digits among their letters.
  return !parts.some((part) => part.length > 12 && /\d[a-f]+\d/.test(part));
}

/** Names the resource by the constant parts of the path, and what is given by its parameters at the end. */
function nameByPath(method: string, path: string): string {
  const segments = path.split('/').filter((segment) => segment !== '');
  const constant = segments.filter(
    (segment) => !segment.includes('{') && !/^(api|v\d+(\.\d+)*)$/i.test(segment),
  );
  const last = segments.at(-1) ?? '';
  const given = last.includes('{') ? ['by', ...words(last)] : [];
  const parts = [method.toLowerCase(), ...constant.flatMap(words), ...given];
  return join(parts.length === 1 ? [...parts, 'root'] : parts);
}

/** Names an operation by its whole path, for two that would have the same name. */
export function nameByWholePath(method: string, path: string): string {
  return join([method.toLowerCase(), ...words(path)]);
}

/** Keeps a name as it is where clients accept it in a schema. */
export function nameArgument(name: string): string {
  const tidy = name
    .slice(0, 200)
    .replaceAll(/[^A-Za-z0-9_.-]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, MAX_ARGUMENT);
  // These names mean something else on objects, and copies lose them.
  if (tidy === '' || tidy === '__proto__') return 'value';
  return /^[_.-]*$/.test(tidy) ? 'value' : tidy;
}

/** Gives each name once: the second time it tries the other name, and then numbers. */
export function createNames(most: number): (wanted: string, other: () => string) => string {
  const taken = new Map<string, number>();
  return (wanted, other) => {
    const base = (taken.has(wanted) ? other() : wanted).slice(0, most);
    let name = base;
    while (taken.has(name)) {
      const next = (taken.get(base) ?? 1) + 1;
      taken.set(base, next);
      name = `${base.slice(0, most - 7)}_${next}`;
    }
    taken.set(name, 1);
    return name;
  };
}

export const createToolNames = () => createNames(MAX_NAME);
export const createArgumentNames = () => createNames(MAX_ARGUMENT);

/** Makes a short name for the import of the title of the service, or of the name of its host. */
export function nameSource(title: string, base: string): string {
  const own = title
    .toLowerCase()
    .replaceAll(/['\u2019]s\b/g, '')
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '' && !NOISE.test(word));
  const host = new URL(base).hostname
    .split('.')
    .filter((label) => !/^(www|api|com|org|net|io|dev|app|co)$/.test(label));
  const name = join((own.length > 0 ? own : words(host.join(' '))).slice(0, 4))
    .slice(0, 40)
    .replace(/_+$/, '');
  return /^[a-z]/.test(name) ? name : `api_${name}`.replace(/_+$/, '');
}
