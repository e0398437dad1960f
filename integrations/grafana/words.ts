// Lists words that people use for Grafana and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  owned: 'loki prometheus promql logql',
  related: [
    ['prometheus', 'promql'],
    ['loki', 'logql', 'log'],
  ],
  called: {
    loki: 'log',
    prometheus: 'metric',
  },
  tools: {
    grafana_query_loki: 'logs search application',
    grafana_query_prometheus: 'metrics cpu memory',
    grafana_list_alerts: 'firing active',
    grafana_create_silence: 'mute: alert maintenance',
    grafana_create_annotation: 'mark: event deploy deployment note graph',
    grafana_get_dashboard: 'panels graphs',
    grafana_search_dashboards: 'list find: ',
  },
};
