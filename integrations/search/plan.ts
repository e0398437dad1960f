// What each provider offers around searches: suggested queries, and how much of the plan is used.
import * as z from 'zod';
import { withoutEmpty } from '../../src/kit/without-empty.ts';
import { get, type Offers } from './providers.ts';

const Suggested = z.lazy(() =>
  z.looseObject({
    results: z.array(z.looseObject({ query: z.string() })).default([]),
    suggestions: z.array(z.looseObject({ value: z.string() })).default([]),
  }),
);
const suggestions = (payload: unknown) => {
  const found = Suggested.parse(payload);
  return {
    queries: [...found.results.map(({ query }) => query), ...found.suggestions.map(({ value }) => value)],
  };
};

export const suggest: Offers<{ query: string; country?: string | undefined }> = {
  brave: {
    ask: ({ query, country }) => get('/res/v1/suggest/search', { q: query, count: 10, country }),
    read: suggestions,
  },
  serpapi: {
    ask: ({ query, country }) =>
      get('/search.json', { engine: 'google_autocomplete', q: query, gl: country?.toLowerCase() }),
    read: suggestions,
  },
};

const Account = z.lazy(() =>
  z.looseObject({
    account_email: z.string().nullish(),
    plan_name: z.string().nullish(),
    searches_per_month: z.number().nullish(),
    this_month_usage: z.number().nullish(),
    total_searches_left: z.number().nullish(),
    plan_renewal_date: z.string().nullish(),
  }),
);
const Usage = z.lazy(() =>
  z.looseObject({
    key: z.looseObject({ usage: z.number().nullish(), limit: z.number().nullish() }).optional(),
    account: z
      .looseObject({
        current_plan: z.string().nullish(),
        plan_usage: z.number().nullish(),
        plan_limit: z.number().nullish(),
      })
      .optional(),
  }),
);

export const usage: Offers<object> = {
  tavily: {
    ask: () => get('/usage'),
    read: (payload) => {
      const { key, account } = Usage.parse(payload);
      return withoutEmpty({
        plan: account?.current_plan,
        used: account?.plan_usage,
        limit: account?.plan_limit,
        usedByKey: key?.usage,
        limitOfKey: key?.limit,
      });
    },
  },
  serpapi: {
    ask: () => get('/account.json'),
    // The answer repeats the key, so only these members are shown.
    read: (payload) => {
      const found = Account.parse(payload);
      return withoutEmpty({
        account: found.account_email,
        plan: found.plan_name,
        used: found.this_month_usage,
        limit: found.searches_per_month,
        left: found.total_searches_left,
        renewsAt: found.plan_renewal_date,
      });
    },
  },
};
