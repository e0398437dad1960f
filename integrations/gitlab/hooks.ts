// How GitLab sends webhooks. https://docs.gitlab.com/user/project/integrations/webhooks/
import type { HookRecipe } from '../../src/kit/hooks.ts';

export const hooks: HookRecipe = {
  events: {
    'Push Hook': 'Commits were pushed',
    'Merge Request Hook': 'A merge request was opened, changed or merged',
    'Issue Hook': 'An issue was opened, changed or closed',
    'Note Hook': 'Somebody commented',
    'Pipeline Hook': 'A pipeline changed its state',
    'Release Hook': 'A release was made or changed',
  },
  check: { kind: 'token', header: 'x-gitlab-token' },
  id: [{ header: 'idempotency-key' }, { header: 'x-gitlab-event-uuid' }],
  type: [{ header: 'x-gitlab-event' }],
  secret: 'ours',
  setUp:
    'On GitLab open the settings of the project, then Webhooks and Add new webhook. Enter the address as URL and the secret as Secret token, and choose the events.',
  registration: {
    args: { project: 'The id or the full path of the project' },
    add: {
      method: 'POST',
      path: '/projects/{project}/hooks',
      body: { url: '{url}', token: '{secret}', push_events: false, enable_ssl_verification: true },
      flags: {
        'Push Hook': 'push_events',
        'Merge Request Hook': 'merge_requests_events',
        'Issue Hook': 'issues_events',
        'Note Hook': 'note_events',
        'Pipeline Hook': 'pipeline_events',
        'Release Hook': 'releases_events',
      },
    },
    id: '/id',
    remove: { method: 'DELETE', path: '/projects/{project}/hooks/{id}' },
  },
};
