// Makes issues as GitHub's REST API describes them, with every member that it sends: four to five kilobytes each.
import { createPicks, paragraph } from './prose.ts';

const API = 'https://api.github.com';
const WEB = 'https://github.com';
const REPOSITORY = 'acme/web';
const LOGINS = ['ana-souza', 'bo-lindqvist', 'cy-okafor', 'dana-w', 'eliza-tran'];
const LABELS = [
  ['bug', 'd73a4a', "Something isn't working"],
  ['enhancement', 'a2eeef', 'New feature or request'],
  ['documentation', '0075ca', 'Improvements or additions to documentation'],
  ['area: checkout', 'fbca04', 'Cart, payment and receipts'],
  ['needs reproduction', 'e4e669', 'We cannot reproduce this yet'],
] as const;
const TITLES = [
  'Checkout fails with a blank page when the cart is empty',
  'Allow exporting the report as CSV',
  'Document how to rotate the signing key',
  'Session expires while a form is being filled in',
  'Search ignores accents in product names',
  'Upgrade the date picker, it traps the focus',
];

export interface Issue {
  number: number;
  title: string;
  state: string;
  body: string;
  labels: { name: string }[];
  [member: string]: unknown;
}

export function makeIssue(number: number, given: { title?: string; body?: string } = {}): Issue {
  const pick = createPicks(number * 7_919);
  const url = `${API}/repos/${REPOSITORY}/issues/${number}`;
  const id = 2_800_000_000 + number * 1_337;
  const labels = [pick(LABELS), pick(LABELS)].filter((label, index, all) => all.indexOf(label) === index);
  const assignee = number % 3 > 0 ? makeUser(pick(LOGINS)) : null;
  return {
    url,
    repository_url: `${API}/repos/${REPOSITORY}`,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    html_url: `${WEB}/${REPOSITORY}/issues/${number}`,
    id,
    node_id: `I_kwDO${Buffer.from(`node:${id}`).toString('base64url')}`,
    number,
    title: given.title ?? `${pick(TITLES)} (${number})`,
    user: makeUser(pick(LOGINS)),
    labels: labels.map(makeLabel),
    state: 'open',
    locked: false,
    assignee,
    assignees: assignee === null ? [] : [assignee],
    milestone: null,
    comments: number % 9,
    created_at: '2026-03-02T09:14:51Z',
    updated_at: '2026-03-18T16:40:07Z',
    closed_at: null,
    author_association: 'CONTRIBUTOR',
    type: null,
    active_lock_reason: null,
    sub_issues_summary: { total: 0, completed: 0, percent_completed: 0 },
    issue_dependencies_summary: { blocked_by: 0, total_blocked_by: 0, blocking: 0, total_blocking: 0 },
    body: given.body ?? paragraph(number, 5),
    closed_by: null,
    reactions: {
      url: `${url}/reactions`,
      total_count: 0,
      '+1': 0,
      '-1': 0,
      laugh: 0,
      hooray: 0,
      confused: 0,
      heart: 0,
      rocket: 0,
      eyes: 0,
    },
    timeline_url: `${url}/timeline`,
    performed_via_github_app: null,
    state_reason: null,
  };
}

function makeLabel([name, color, description]: (typeof LABELS)[number]) {
  const id = 5_100_000_000 + name.length;
  return {
    id,
    node_id: `LA_kwDO${Buffer.from(`label:${id}`).toString('base64url')}`,
    url: `${API}/repos/${REPOSITORY}/labels/${encodeURIComponent(name)}`,
    name,
    color,
    default: !name.startsWith('area'),
    description,
  };
}

function makeUser(login: string) {
  const id = 10_000_000 + login.length * 4_321;
  const url = `${API}/users/${login}`;
  return {
    login,
    id,
    node_id: `U_kgDO${Buffer.from(`user:${id}`).toString('base64url')}`,
    avatar_url: `https://avatars.githubusercontent.com/u/${id}?v=4`,
    gravatar_id: '',
    url,
    html_url: `${WEB}/${login}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: 'User',
    user_view_type: 'public',
    site_admin: false,
  };
}
