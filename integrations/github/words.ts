// Lists words that people use for GitHub and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  aliases: {
    gh: 'github',
  },
  tools: {
    github_get_file_contents: 'source code read readme path folder repository',
    github_get_repository: 'star language license info',
    github_get_repository_tree: 'structure files folders directory recursively',
    github_search_code: 'function symbol definition defined usage used where source grep',
    github_create_gist: 'snippet paste code',
    github_get_commit_checks: 'ci status pass passed green red test build',
    github_get_job_logs: 'output why fail failed ci build run error',
    github_trigger_workflow: 'run start dispatch: deploy build manual',
    github_get_latest_release: 'newest version current',
    github_list_releases: 'versions changelog',
    github_create_release: 'publish tag: version notes',
    github_create_pull_request: 'open branch base head into from',
    github_list_issues: 'my mine assigned open repository',
    github_create_issue: 'repository',
    github_compare_commits: 'diff difference between branches tags versions changed',
    github_request_reviewers: 'ask add assign: review reviewer',
    github_create_pull_request_review: 'approve decline request comment: lgtm approval changes review',
    github_get_pull_request_diff: 'what changed change patch',
    github_update_pull_request: 'rename close: title base retarget reopen',
    github_update_pull_request_branch: 'sync rebase main',
    github_update_issue: 'assign close: assignee milestone',
    github_list_notifications: 'unread inbox',
    github_list_commits: 'history log author who',
    github_create_or_update_file: 'change commit: edit write',
    github_add_issue_labels: 'tag category',
  },
};
