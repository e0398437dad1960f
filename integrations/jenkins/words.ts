// Lists words that people use for Jenkins and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  spoken: 'ci',
  tools: {
    jenkins_get_build_log: 'output console why fail failed error',
    jenkins_trigger_build: 'run start: job deploy',
    jenkins_get_build: 'status result green red passed failed',
    jenkins_get_test_report: 'tests failed passed results',
    jenkins_get_queue_item: 'waiting queued',
    jenkins_list_nodes: 'agents executors machines workers',
  },
};
