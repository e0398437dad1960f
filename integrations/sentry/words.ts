// Lists words that people use for Sentry and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  spoken: 'error exception crash',
  tools: {
    sentry_search_issues: 'error exception crash bug newest latest recent production unresolved',
    sentry_get_issue_event: 'stacktrace stack trace detail latest crash cause',
    sentry_list_issue_tag_values: 'browser os device affected users environment breakdown',
    sentry_query_events: 'errors count often how many performance transactions slow logs production',
    sentry_create_deploy: 'record tell: deployment',
    sentry_create_release: 'tell record: version',
  },
};
