// How GitHub sends webhooks. https://docs.github.com/en/webhooks
import type { HookRecipe } from '../../src/kit/hooks.ts';

const hook = '/repos/{owner}/{repo}/hooks';

export const hooks: HookRecipe = {
  events: {
    push: 'Commits were pushed',
    pull_request: 'A pull request was opened, changed or closed; pull_request.opened for one action',
    issues: 'An issue was opened, changed or closed',
    issue_comment: 'Somebody commented on an issue or a pull request',
    workflow_run: 'A run of a workflow began or ended',
    release: 'A release was published or changed',
  },
  check: { kind: 'hmac', header: 'x-hub-signature-256', encoding: 'hex', prefix: 'sha256=' },
  id: [{ header: 'x-github-delivery' }],
  type: [{ header: 'x-github-event' }, { at: '/action' }],
  secret: 'ours',
  setUp:
    'On GitHub open the settings of the repository, then Webhooks and Add webhook. Enter the address under Payload URL, choose application/json, and enter the secret.',
  registration: {
    args: { owner: 'The owner of the repository', repo: 'Its name' },
    add: {
      method: 'POST',
      path: hook,
      body: {
        name: 'web',
        active: true,
        events: ['{event}'],
        config: { url: '{url}', content_type: 'json', secret: '{secret}', insecure_ssl: '0' },
      },
    },
    takesAll: true,
    id: '/id',
    remove: { method: 'DELETE', path: `${hook}/{id}` },
  },
};
