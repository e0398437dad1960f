// Lists words that people use for PagerDuty and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  aliases: {
    'pager duty': 'pagerduty',
  },
  tools: {
    pagerduty_create_incident:
      'alert notify declare: page wake emergency outage trigger engineer down escalate',
    pagerduty_update_incident: 'acknowledge resolve close assign: ack reassign',
    pagerduty_list_oncalls: 'who oncall duty now tonight weekend',
    pagerduty_list_schedules: 'rota rotation shift',
    pagerduty_list_log_entries: 'timeline history happened',
    pagerduty_list_incidents: 'outages open triggered active',
  },
};
