// Lists words that people use for Datadog and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  called: {
    scope: 'monitor',
  },
  tools: {
    datadog_query_metrics: 'cpu memory disk load usage latency traffic graph timeseries',
    datadog_create_monitor: 'alert threshold warn notify',
    datadog_list_monitors: 'alerts alerting status firing',
    datadog_update_monitor: 'alert threshold',
    datadog_mute_scope: 'silence: monitor alert maintenance downtime',
    datadog_list_hosts: 'servers machines infrastructure instances',
    datadog_get_slo_history: 'slo target uptime meeting availability reliability',
    datadog_list_slos: 'slo target uptime',
    datadog_list_synthetics: 'uptime checks browser api',
    datadog_submit_events: 'send: ',
    datadog_list_active_metrics: 'available exist',
  },
};
