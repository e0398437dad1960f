// Tests that the tools of an integration stand under the thing that they work on.
import { expect, it } from 'vitest';
import { groupTools } from '../../portal/pages/integration/tool-groups.ts';

const titlesOf = (...names: string[]): string[] =>
  groupTools(
    [...names, ...Array.from({ length: 9 }, (_, index) => `x_ping${index}`)].map((name) => ({ name })),
    'x',
  ).map(({ title }) => title);

it.each([
  ['Issues', ['x_list_issues', 'x_get_issue', 'x_list_issue_comments']],
  ['Pull requests', ['x_list_pull_requests', 'x_get_pull_request', 'x_merge_pull_request_now']],
  ['Data sources', ['x_get_data_source', 'x_query_data_source']],
  ['Inventory', ['x_adjust_inventory', 'x_get_inventory']],
  ['DNS records', ['x_list_dns_records', 'x_create_dns_record']],
  ['KV', ['x_get_kv_value', 'x_list_kv_namespaces', 'x_put_kv_pair']],
  ['Repositories', ['x_list_repositories', 'x_get_repository']],
  ['Functions', ['x_list_functions', 'x_get_function']],
])('names a group %s', (title, names) => {
  expect(titlesOf(...names)).toEqual([title, '']);
});

it('makes no group of words that name no thing', () => {
  expect(titlesOf('x_reply_to_message', 'x_invite_to_channel')).toEqual(['']);
});

it('leaves a short list whole', () => {
  expect(groupTools([{ name: 'osv_query_package' }, { name: 'osv_get_vulnerability' }], 'osv')).toMatchObject(
    [{ title: '' }],
  );
});
