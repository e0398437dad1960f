// Lists words that people use for Bitbucket and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  tools: {
    bitbucket_get_file: 'source code read content readme repository',
    bitbucket_search_code: 'function symbol definition source grep',
    bitbucket_get_pipeline_step_log: 'output console why fail failed ci build run error',
    bitbucket_create_pull_request: 'open branch',
    bitbucket_create_issue: 'repository',
    bitbucket_get_pull_request_diff: 'what changed change patch',
  },
};
