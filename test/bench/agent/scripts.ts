// Does five tasks of many calls, with single calls as today's texts recommend, and with one script.
import type { Agent } from './conversation.ts';
import { LABELS } from './providers.ts';
import { REPOSITORY, type Way } from './tasks.ts';
import type { Stage } from './stage.ts';

interface Compared {
  name: string;
  wanted: (stage: Stage) => unknown;
  calls: Way;
  script: Way;
}

const LIST = 'github_list_issues';
const CREATE = 'github_create_issue';
const LIST_LABELS = 'github_list_labels';
const RED = 'd73a4a';
const MAIL = 'gmail_list_messages';
const FLAKY = 'Flaky';

/** Returns the whole answer of one execution. */
// oxlint-disable-next-line typescript/no-explicit-any -- results are what the tools make them
async function execute(agent: Agent, tool: string, args: object, select?: string): Promise<any> {
  const execution = { tool, args, ...(select === undefined ? {} : { select }) };
  return JSON.parse(await agent.call('execute_tools', { executions: [execution] })).results[0];
}

async function runScript(agent: Agent, code: string): Promise<unknown> {
  const answer = await execute(agent, 'script_run', { code });
  if (!('result' in answer)) throw new Error(`the script failed: ${JSON.stringify(answer).slice(0, 500)}`);
  return answer.result;
}

function countBy(names: readonly string[]): Record<string, number> {
  const count: Record<string, number> = {};
  for (const name of names) count[name] = (count[name] ?? 0) + 1;
  return count;
}

const loginOf = ({ user }: { [member: string]: unknown }): string =>
  typeof user === 'object' && user !== null && 'login' in user ? String(user.login) : '';
const repository = JSON.stringify(REPOSITORY).slice(1, -1);

export const MANY: readonly Compared[] = [
  {
    name: 'count 30 issues by their author',
    wanted: ({ providers }) => countBy(providers.issues.slice(0, 30).map(loginOf)),
    calls: async (agent) =>
      countBy((await execute(agent, LIST, { ...REPOSITORY, perPage: 30 }, '[].user.login')).result),
    script: (agent) =>
      runScript(
        agent,
        `const c = {};\nfor (const { user } of await tools.${LIST}({${repository}, perPage: 30})) c[user.login] = (c[user.login] ?? 0) + 1;\nreturn c;`,
      ),
  },
  {
    name: 'page through 1,000 labels, count those of a colour',
    wanted: () => LABELS.filter(({ color }) => color === RED).length,
    async calls(agent) {
      let count = 0;
      for (let page = 1; page <= 10; page++) {
        const args = { ...REPOSITORY, perPage: 100, page };
        const { result } = await execute(agent, LIST_LABELS, args, '[].color');
        count += result.filter((color: string) => color === RED).length;
      }
      return count;
    },
    script: (agent) =>
      runScript(
        agent,
        `let n = 0;\nfor (let page = 1; page <= 10; page++)\n  n += (await tools.${LIST_LABELS}({${repository}, perPage: 100, page})).filter((l) => l.color === '${RED}').length;\nreturn n;`,
      ),
  },
  {
    name: 'join the authors of 30 issues with the mail from each',
    wanted: ({ providers }) =>
      Object.fromEntries(
        Object.keys(countBy(providers.issues.slice(0, 30).map(loginOf))).map((login) => [
          login,
          `from:${login}`.length,
        ]),
      ),
    async calls(agent) {
      const logins = (await execute(agent, LIST, { ...REPOSITORY, perPage: 30 }, '[].user.login')).result;
      const mails: Record<string, number> = {};
      for (const login of new Set<string>(logins))
        mails[login] = (await execute(agent, MAIL, { query: `from:${login}` }, 'resultSizeEstimate')).result;
      return mails;
    },
    script: (agent) =>
      runScript(
        agent,
        `const m = {};\nfor (const { user } of await tools.${LIST}({${repository}, perPage: 30}))\n  m[user.login] ??= (await tools.${MAIL}({query: 'from:' + user.login})).resultSizeEstimate;\nreturn m;`,
      ),
  },
  {
    name: 'repeat a write that fails three times',
    wanted: () => FLAKY,
    async calls(agent) {
      for (let attempt = 0; attempt < 5; attempt++) {
        const { result } = await execute(agent, CREATE, { ...REPOSITORY, title: FLAKY }, '{title: title}');
        if (result !== undefined) return result.title;
      }
      return null;
    },
    script: (agent) =>
      runScript(
        agent,
        `for (let i = 0; ; i++)\n  try { return (await tools.${CREATE}({${repository}, title: '${FLAKY}'})).title; } catch (e) { if (i === 4) throw e; }`,
      ),
  },
  {
    name: 'ten calls, of which one needs a yes',
    wanted: () => 'Checked',
    async calls(agent, { person }) {
      for (let page = 1; page <= 9; page++)
        await execute(agent, LIST, { ...REPOSITORY, perPage: 10, page }, '[].{title: title}');
      await person.ask(CREATE);
      const create = () => execute(agent, CREATE, { ...REPOSITORY, title: 'Checked' }, '{title: title}');
      await person.approve(JSON.stringify(await create()));
      return (await create()).result.title;
    },
    async script(agent, { person }) {
      await person.ask(CREATE);
      const code = `for (let page = 1; page <= 9; page++) await tools.${LIST}({${repository}, perPage: 10, page});\nreturn (await tools.${CREATE}({${repository}, title: 'Checked'})).title;`;
      const waits = await execute(agent, 'script_run', { code });
      await person.approve(JSON.stringify(waits));
      return (await execute(agent, 'script_run', { resume: waits.script.run })).result;
    },
  },
];
