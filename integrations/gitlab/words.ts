// Lists words that people use for GitLab and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  owned: 'merge request',
  called: {
    project: 'repository',
    note: 'comment',
    discussion: 'comment',
  },
  tools: {
    gitlab_list_repository_tree: 'structure directory recursively',
    gitlab_get_file: 'source code read content readme repository',
    gitlab_get_job_log: 'output console why fail failed ci build run error',
    gitlab_create_merge_request: 'open branch',
    gitlab_list_issues: 'my mine assigned open repository',
    gitlab_create_issue: 'repository',
    gitlab_compare_refs: 'difference between branches tags versions changed',
    gitlab_list_merge_request_diffs: 'what changed change patch files',
    gitlab_list_my_merge_requests: 'assigned waiting my',
    gitlab_approve_merge_request: 'accept: ',
    gitlab_update_merge_request: 'assign rename: reviewer assignee title',
    gitlab_play_job: 'run trigger: deploy',
    gitlab_lint_ci: 'validate check: valid yaml yml syntax',
    gitlab_list_todos: 'todo task pending',
    gitlab_search: 'code find',
  },
};
