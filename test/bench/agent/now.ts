// Does the tasks as today's texts recommend: a sentence and a limit to search, then only what is needed of the result.
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

/** Finds a tool by a sentence. Its signature is enough to call it. */
async function find(agent: Agent, query: string, tool: string): Promise<void> {
  const found = await agent.call('search_tools', { query, limit: 3 });
  if (!found.includes(`"${tool}"`)) throw new Error(`search_tools ${query} does not find ${tool}: ${found}`);
}

/** Runs one tool, and returns what it selected. */
// oxlint-disable-next-line typescript/no-explicit-any -- results are what the tools make them
async function run(agent: Agent, tool: string, args: object, select?: string): Promise<any> {
  const text = await agent.call('execute_tools', {
    executions: [{ tool, args, ...(select === undefined ? {} : { select }) }],
  });
  return JSON.parse(text).results[0].result;
}

export const now: Record<TaskName, Way> = {
  async time(agent) {
    await find(agent, 'current time in a city', 'time_now');
    return (await run(agent, 'time_now', { timeZone: 'Asia/Tokyo' })).offset;
  },

  async issues(agent) {
    await find(agent, 'list the issues of a GitHub repository', 'github_list_issues');
    return run(agent, 'github_list_issues', { ...REPOSITORY, perPage: 10 }, '[].title');
  },

  async create(agent) {
    await find(agent, 'create an issue on GitHub', 'github_create_issue');
    const select = '{number: number, title: title, html_url: html_url}';
    return (await run(agent, 'github_create_issue', { ...REPOSITORY, ...ISSUE }, select)).title;
  },

  async sixteenth(agent) {
    await find(agent, 'list the issues of a GitHub repository', 'github_list_issues');
    const args = { ...REPOSITORY, perPage: 100 };
    return run(agent, 'github_list_issues', args, '[15].{title: title, body: body}');
  },

  async section(agent) {
    await find(agent, 'read a section of a Wikipedia article', 'wikipedia_get_page');
    const { text } = await run(agent, 'wikipedia_get_page', { title: ARTICLE_TITLE, section: 'Legacy' });
    return sectionOf(text);
  },

  async publish(agent) {
    await find(agent, 'publish a web page', 'deploy_jot');
    return isPublishedWhole((await run(agent, 'deploy_jot', PAGE)).url);
  },

  async mail(agent, stage) {
    const { filename, mimeType, bytes } = ATTACHMENT;
    await find(agent, 'send a mail with an attachment', 'gmail_send_message');
    await find(agent, 'upload a file for another tool', 'upload_file');
    const { uploadUrl, curl } = await run(agent, 'upload_file', { name: filename, mimeType });
    const put = async () => (await fetch(uploadUrl, { method: 'PUT', body: bytes })).text();
    const { file } = JSON.parse(await agent.shell(curl, put));
    const attachment = { filename, mimeType, file: `file:${file.handle}` };
    await run(agent, 'gmail_send_message', { ...MAIL, attachments: [attachment] });
    return isAttached(stage);
  },

  async connect(agent, stage) {
    await find(agent, 'list the issues of a GitHub repository', 'github_list_issues');
    const { url, connectionId } = JSON.parse(await agent.call('connect', { integration: 'github' }));
    await stage.person.consent('github', url);
    await agent.call('wait_for_connection', { connectionId, timeoutSec: 45 });
    return run(agent, 'github_list_issues', { ...REPOSITORY, perPage: 10 }, '[].title');
  },
};
