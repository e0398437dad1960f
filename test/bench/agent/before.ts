// Does the tasks as agents did with the texts of version 0.1: one word to search, then the schema, then the whole result.
import type { Agent } from './conversation.ts';
import {
  ARTICLE_TITLE,
  ATTACHMENT,
  isAttached,
  ISSUE,
  isPublishedWhole,
  MAIL,
  PAGE,
  REPOSITORY,
  sectionOf,
  type TaskName,
  type Way,
} from './tasks.ts';

/** Finds a tool by one word, and reads its arguments. */
async function find(agent: Agent, query: string, tool: string): Promise<void> {
  const found = await agent.call('search_tools', { query });
  if (!found.includes(`"${tool}"`)) throw new Error(`search_tools ${query} does not find ${tool}`);
  await agent.call('get_tool_schema', { tool });
}

const run = (agent: Agent, tool: string, args: object) =>
  agent.call('execute_tools', { executions: [{ tool, args }] });

// oxlint-disable-next-line typescript/no-explicit-any -- results are what the tools make them
const resultOf = (text: string): any => JSON.parse(text).results[0].result;

/** Reads on in a result that was cut, as its notice says. */
async function readOn(agent: Agent, cut: string, path: string, offset: number): Promise<unknown> {
  const handle = /"handle":"([^"]+)"/.exec(cut.slice(cut.lastIndexOf('[Truncated')))?.[1];
  if (handle === undefined) throw new Error('the result was not cut');
  return JSON.parse(await agent.call('read_result', { handle, path, offset })).value;
}

export const before: Record<TaskName, Way> = {
  async time(agent) {
    await find(agent, 'time', 'time_now');
    return resultOf(await run(agent, 'time_now', { timeZone: 'Asia/Tokyo' })).offset;
  },

  async issues(agent) {
    await find(agent, 'issue', 'github_list_issues');
    return resultOf(await run(agent, 'github_list_issues', { ...REPOSITORY, perPage: 10 })).map(
      ({ title }: { title: string }) => title,
    );
  },

  async create(agent) {
    await find(agent, 'issue', 'github_create_issue');
    return resultOf(await run(agent, 'github_create_issue', { ...REPOSITORY, ...ISSUE })).title;
  },

  async sixteenth(agent) {
    await find(agent, 'issue', 'github_list_issues');
    const cut = await run(agent, 'github_list_issues', { ...REPOSITORY, perPage: 100 });
    const page = await readOn(agent, cut, '/results/0/result', 15);
    if (!Array.isArray(page)) throw new Error('a list has pages of items');
    const { title, body } = page[0];
    return { title, body };
  },

  async section(agent) {
    await find(agent, 'wikipedia', 'wikipedia_get_page');
    const cut = await run(agent, 'wikipedia_get_page', { title: ARTICLE_TITLE });
    const shown = JSON.parse(`${cut.slice(0, cut.lastIndexOf('\n\n[Truncated'))}"}}]}`).results[0].result
      .text;
    return sectionOf(shown + (await readOn(agent, cut, '/results/0/result/text', shown.length)));
  },

  // The text of version 0.1 says to set cors, so a careful agent needs no second call.
  async publish(agent) {
    await find(agent, 'publish', 'deploy_jot');
    return isPublishedWhole(resultOf(await run(agent, 'deploy_jot', { ...PAGE, cors: true })).url);
  },

  async mail(agent, stage) {
    await find(agent, 'mail', 'gmail_send_message');
    const { filename, mimeType, bytes } = ATTACHMENT;
    const attachment = { filename, mimeType, contentBase64: bytes.toString('base64') };
    await run(agent, 'gmail_send_message', { ...MAIL, attachments: [attachment] });
    return isAttached(stage);
  },

  async connect(agent, { person }) {
    await find(agent, 'issue', 'github_list_issues');
    const args = { ...REPOSITORY, perPage: 10 };
    const refused = await run(agent, 'github_list_issues', args);
    if (!refused.includes('NOT_CONNECTED')) throw new Error('GitHub is connected already');
    const { url, connectionId } = JSON.parse(await agent.call('connect', { integration: 'github' }));
    await person.consent('github', url);
    await agent.call('wait_for_connection', { connectionId, timeoutSec: 45 });
    return resultOf(await run(agent, 'github_list_issues', args)).map(
      ({ title }: { title: string }) => title,
    );
  },
};
