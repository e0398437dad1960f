// The spelling of Cloudflare's API, whose answers wrap each result, and its lists as a model reads them.
import * as z from 'zod';
import { createRows } from '../../src/kit/rest-rows.ts';

export const { row, send, toCall } = createRows({ names: 'snake_case' });

export const text = z.string();
export const some = text.optional();

export const accountId = text.describe('Account, by `id` from cloudflare_list_accounts');
export const zoneId = text.describe('Zone, by `id` from cloudflare_list_zones');

export const paging = (most: number) => ({
  page: z.int().min(1).default(1).describe('Page of the results'),
  perPage: z.int().min(5).max(most).default(Math.min(20, most)).describe('Results per page'),
});

const Answer = z.lazy(() =>
  z.object({
    result: z.unknown(),
    result_info: z
      .object({
        page: z.number().optional(),
        per_page: z.number().optional(),
        total_pages: z.number().optional(),
        total_count: z.number().optional(),
        cursor: z.string().nullish(),
      })
      .nullish(),
  }),
);

export const resultOf = (payload: unknown): unknown => Answer.parse(payload).result;

export const showOne =
  (show: (item: unknown) => unknown) =>
  (payload: unknown): unknown =>
    show(resultOf(payload));

/** Shows a list, and how it goes on: by `page` or by `cursor`. */
export const showList =
  (name: string, show: (item: unknown) => unknown) =>
  (payload: unknown): object => {
    const { result, result_info: info } = Answer.parse(payload);
    const items = Array.isArray(result) ? result : Reflect.get(Object(result), name);
    const { page = 1, total_pages: pages = 1, total_count: total, cursor } = info ?? {};
    return {
      [name]: z
        .array(z.unknown())
        .parse(items ?? [])
        .map(show),
      ...(total === undefined ? {} : { total }),
      ...(page < pages ? { nextPage: page + 1 } : {}),
      ...(typeof cursor === 'string' && cursor !== '' ? { cursor } : {}),
    };
  };
