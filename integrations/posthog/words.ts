// Lists words that people use for PostHog and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  spoken: 'analytics',
  owned: 'hogql',
  aliases: {
    'post hog': 'posthog',
  },
  called: {
    person: 'user',
  },
  tools: {
    posthog_query:
      'count: sql how many people visited visitor site funnel pageviews visits signups conversion retention active analytics trend usage',
    posthog_list_persons: 'find: user customer visitor',
    posthog_update_feature_flag: 'enable disable toggle: turn on off rollout percent',
    posthog_create_feature_flag: 'rollout percent toggle',
    posthog_list_event_definitions: 'tracked names',
    posthog_get_insight: 'result chart',
  },
};
