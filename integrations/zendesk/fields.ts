// The spelling of Zendesk's API, and its objects as a model reads them.
import * as z from 'zod';
import { createRows } from '../../src/kit/rest-rows.ts';
import { withoutEmpty } from '../../src/kit/without-empty.ts';

export const { row, send } = createRows({ names: 'snake_case', lists: 'comma' });

export const text = z.string();
export const some = text.optional();
export const texts = z.array(text).optional();
export const id = z.int().positive();

export const ticketId = id.describe('Number of the ticket, from zendesk_search');
export const PERSON = 'User by `id`, from zendesk_search_users';

/** Lists continue with a cursor. */
export const cursorPage = (size = 25) => ({
  pageSize: z.int().min(1).max(100).default(size).describe('Results per page'),
  after: some.describe('`after` of the previous page'),
});
export const cursorNames = { pageSize: 'page[size]', after: 'page[after]' };
/** Searches continue with a number. */
export const numberPage = () => ({
  page: z.int().min(1).default(1).describe('Page to return, from 1'),
  perPage: z.int().min(1).max(100).default(25).describe('Results per page'),
});

const TICKET = [
  'id',
  'subject',
  'status',
  'priority',
  'type',
  'tags',
  'requester_id',
  'assignee_id',
  'group_id',
  'organization_id',
  'created_at',
  'updated_at',
  'due_at',
  'result_type',
];
const USER = [
  'id',
  'name',
  'email',
  'phone',
  'role',
  'organization_id',
  'time_zone',
  'active',
  'suspended',
  'tags',
  'notes',
  'details',
  'result_type',
];
const ORGANIZATION = ['id', 'name', 'domain_names', 'notes', 'details', 'tags', 'group_id', 'result_type'];

const Loose = z.record(z.string(), z.unknown());

export function pick(value: unknown, members: readonly string[]): Record<string, unknown> {
  const whole = Loose.parse(value);
  const shown = members.filter((name) => name in whole).map((name) => [name, whole[name]] as const);
  return Loose.parse(withoutEmpty(Object.fromEntries(shown)));
}

export const showTicket = (ticket: unknown) => pick(ticket, TICKET);
export const showUser = (user: unknown) => pick(user, USER);
export const showOrganization = (organization: unknown) => pick(organization, ORGANIZATION);

/** Shows what a search has found, which can be of each kind. */
export function showFound(found: unknown): unknown {
  const kind: unknown = Reflect.get(Object(found), 'result_type');
  if (kind === 'user') return showUser(found);
  if (kind === 'organization') return showOrganization(found);
  return kind === 'ticket' ? showTicket(found) : withoutEmpty(found);
}

const Meta = z.lazy(() =>
  z.object({
    meta: z.object({ has_more: z.boolean().default(false), after_cursor: text.nullish() }).optional(),
    next_page: text.nullish(),
    count: z.int().optional(),
  }),
);

/** Shows the list of that name, with what leads to the next page. */
export function showList(payload: unknown, name: string, show: (item: unknown) => unknown): object {
  const { meta, next_page, count } = Meta.parse(payload);
  const items = z.array(z.unknown()).parse(Reflect.get(Object(payload), name));
  return {
    ...(count === undefined ? {} : { count }),
    [name]: items.map(show),
    ...(meta?.has_more === true && typeof meta.after_cursor === 'string' ? { after: meta.after_cursor } : {}),
    ...(typeof next_page === 'string' ? { hasMore: true } : {}),
  };
}
