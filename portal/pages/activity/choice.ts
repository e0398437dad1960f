// Reads from the address which calls to show, and says it as the gateway does. People bookmark and share the address.
import type { AuditFilter } from '../../api/audit.ts';

/** The ranges of time that end now, with their length in seconds. */
export const RANGES = { '1h': 3_600, '24h': 86_400, '7d': 604_800, '30d': 2_592_000 } as const;
export type Range = keyof typeof RANGES | keyof typeof DAYS;
/** The days of the person's own calendar, with how many days ago they began. */
export const DAYS = { today: 0, yesterday: 1 } as const;
/** A range with a beginning and an end of the person's own. */
export const CUSTOM = 'custom';

const NAMES = ['q', 'integration', 'tool', 'client', 'account', 'success', 'outcome', 'like'] as const;
const MAX_SEARCH_CHARACTERS = 200;

/** The query of the address without any choice. */
export const NO_CHOICE: Readonly<Record<string, string>> = Object.fromEntries(
  [...NAMES, 'person', 'range', 'from', 'to', 'call'].map((name) => [name, '']),
);

export interface Choice extends Record<(typeof NAMES)[number], string> {
  range: string;
  from: string;
  to: string;
  person: string;
  ofAll: boolean;
  /** The id of the call beside the list. It chooses nothing. */
  call: string;
  isGrouped: boolean;
}

export function choiceIn(query: URLSearchParams): Choice {
  const read = (name: string) => query.get(name) ?? '';
  const ofAll = read('of') === 'everybody';
  return {
    q: read('q').trim().slice(0, MAX_SEARCH_CHARACTERS),
    integration: read('integration'),
    tool: read('tool'),
    client: read('client'),
    account: read('account'),
    success: read('success'),
    outcome: read('outcome'),
    like: read('like'),
    range: read('range'),
    from: read('from'),
    to: read('to'),
    person: ofAll ? read('person') : '',
    ofAll,
    call: read('call'),
    isGrouped: read('view') === 'failures',
  };
}

/** Whether the person has chosen some of the calls. */
export const isNarrowed = ({ ofAll: _, isGrouped: __, call: ___, ...choice }: Choice): boolean =>
  Object.values(choice).some((value) => value !== '');

/** Names the calls that are chosen, however they are shown. */
export const keyOf = ({ isGrouped: _, call: __, ...choice }: Choice): string => JSON.stringify(choice);

/** Whether no call of the future is among the chosen ones. */
export const isOver = ({ range, to }: Choice): boolean =>
  range === 'yesterday' || (range === CUSTOM && to !== '' && Number(to) < Date.now() / 1000);

/** A range that ends now is counted from the moment of the request. */
export function filterOf(choice: Choice): AuditFilter {
  const { range, ofAll, isGrouped: _, call: __, person, from, to, ...exact } = choice;
  return { ...exact, ...timeOf(range, from, to), ...(ofAll ? { of: 'everybody', person } : {}) };
}

function timeOf(range: string, from: string, to: string): Pick<AuditFilter, 'from' | 'to'> {
  if (range === CUSTOM) return { from, to };
  if (range === 'today') return { from: String(midnight(DAYS.today)) };
  if (range === 'yesterday')
    return { from: String(midnight(DAYS.yesterday)), to: String(midnight(DAYS.today) - 1) };
  if (!isLength(range)) return {};
  return { from: String(Math.floor(Date.now() / 1000) - RANGES[range]) };
}

const isLength = (range: string): range is keyof typeof RANGES => Object.hasOwn(RANGES, range);

/** When the day began that was so many days ago, where the person is. */
function midnight(daysAgo: number): number {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo).getTime() / 1000;
}
