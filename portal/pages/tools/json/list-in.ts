// Finds the list in a result, and the columns of a table of its items.
type Item = Readonly<Record<string, unknown>>;

/** The result itself, or its only list: many services put their list beside a count or a cursor. */
export function listIn(result: unknown): readonly unknown[] | null {
  if (Array.isArray(result)) return result;
  if (typeof result !== 'object' || result === null) return null;
  const lists = Object.values(result).filter((member) => Array.isArray(member));
  return lists.length === 1 ? (lists[0] ?? null) : null;
}

export interface Table {
  items: readonly Item[];
  /** In the order in which the items first have them. */
  columns: readonly string[];
  /** Columns that did not fit. */
  left: number;
}

const MAX_COLUMNS = 12;
// The first items say what the others look like.
const MAX_LOOKED_AT = 200;

/** Null unless the result is a list of objects that are alike. */
export function tableIn(result: unknown): Table | null {
  const list = listIn(result);
  if (list === null || list.length < 2 || !list.every(isItem)) return null;
  const first = list.slice(0, MAX_LOOKED_AT);
  const columns = [...new Set(first.flatMap((item) => Object.keys(item)))];
  const cells = first.reduce((sum, item) => sum + Object.keys(item).length, 0);
  // Objects of different kinds would leave most cells empty.
  if (columns.length === 0 || cells / first.length < columns.length / 2) return null;
  return {
    items: list,
    columns: columns.slice(0, MAX_COLUMNS),
    left: Math.max(0, columns.length - MAX_COLUMNS),
  };
}

function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const MAX_CELL = 160;

/** A short text for a cell. Empty for what the item lacks. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return shorten(value);
  if (typeof value !== 'object') return shorten(JSON.stringify(value));
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object' || each === null))
    return shorten(value.slice(0, 20).map(String).join(', '));
  return shorten(describe(value));
}

// Most objects in lists stand for a person or a thing that has a name.
const NAMES = ['name', 'login', 'title', 'label', 'displayName', 'email', 'key', 'id'];

function describe(value: object): string {
  if (Array.isArray(value)) return value.map((each) => cellText(each)).join(', ');
  const member = NAMES.map((name) => Object.getOwnPropertyDescriptor(value, name)?.value as unknown).find(
    (each) => typeof each === 'string' || typeof each === 'number',
  );
  return member === undefined ? JSON.stringify(value).slice(0, MAX_CELL + 1) : String(member);
}

const shorten = (text: string): string => (text.length > MAX_CELL ? `${text.slice(0, MAX_CELL)}…` : text);
