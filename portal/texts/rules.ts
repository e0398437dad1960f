// Holds the texts about what agents may do: the page with the rules, and the switches on an integration’s page.
import { plural } from './plural.ts';
import { pageTitles } from './page-titles.ts';

export const rulesTexts = {
  title: pageTitles.rules,
  lead: 'What agents may do with your tools. You can limit a single agent further.',
  back: 'Agents',

  owners: { label: 'Whose rules', me: 'For you', everyone: 'For everyone' },
  about: {
    me: 'These rules apply to every agent that acts as you, and to the tools that you try here.',
    everyone:
      'These rules apply to everyone on this gateway. People can make their own rules stricter, but not looser.',
  },

  everyone: {
    title: 'For everyone on this gateway',
    levels: (levels: string) => `In general, ${levels}.`,
    lead: 'These rules apply too, and the stricter rule wins. You cannot loosen them.',
    exceptions: 'Exceptions for everyone',
  },

  presetsTitle: 'In general',
  presets: {
    everything: {
      name: 'Everything',
      about: 'Agents read, change and delete without asking.',
    },
    changes: {
      name: 'Ask before changes',
      about: 'Agents read without asking. You approve each call that changes or deletes.',
    },
    deletions: {
      name: 'Ask before deletions',
      about: 'Agents read and change without asking. You approve each call that deletes.',
    },
    reading: {
      name: 'Read only',
      about: 'Agents read without asking. They cannot change or delete.',
    },
  },
  own: {
    name: 'Your own rules',
    nameForEveryone: 'Other rules',
    about: (levels: string) => `Set level by level: ${levels}.`,
  },
  levelsTitle: 'For each kind of tool',
  levels: { read: 'Reads', write: 'Changes', destroy: 'Deletes' },
  freely: 'agents do everything without asking',
  agents: (what: string) => `agents ${what}`,
  levelDecisions: {
    read: { allow: 'read freely', ask: 'ask before they read', block: 'cannot read' },
    write: { allow: 'change freely', ask: 'ask before they change', block: 'cannot change' },
    destroy: { allow: 'delete freely', ask: 'ask before they delete', block: 'cannot delete' },
  },
  decisions: { allow: 'Allow', ask: 'Ask', block: 'Block' },
  decided: { allow: 'Allowed', ask: 'Asks', block: 'Blocked', depends: 'Depends' },
  levelForEveryone: {
    allow: '',
    ask: 'For everyone: asks',
    block: 'For everyone: blocked',
  },

  save: 'Save',
  discard: 'Discard',
  waiting: (count: number) =>
    count === 1
      ? 'One call waits for your approval or is approved and has not run yet. Saving cancels it.'
      : `${plural(count, 'call')} wait for your approval or are approved and have not run yet. Saving cancels them.`,
  saved: 'Saved. The new rules apply now.',
  ended: (count: number) =>
    count === 0
      ? ''
      : `${count === 1 ? 'One waiting call was' : `${plural(count, 'waiting call')} were`} cancelled. Agents have to ask again.`,
  endedForEveryone: 'Waiting calls of all people were cancelled. Agents have to ask again.',

  outside: {
    title: 'After content from outside',
    lead: 'Mail, issues and web pages can hold instructions of strangers. For ten minutes after an agent has read such content, a stricter rule can apply.',
    choices: {
      nothing: { name: 'No extra rule', about: 'The other rules apply, whatever was read.' },
      deletions: {
        name: 'Ask before deletions',
        about: 'You approve each call that deletes after the agent has read outside content.',
      },
      changes: {
        name: 'Ask before changes',
        about: 'You approve each call that changes or deletes after the agent has read outside content.',
      },
      block: {
        name: 'Block changes',
        about: 'Agents that have read outside content only read for ten minutes.',
      },
      own: { name: 'Other rules', about: 'Set one by one. Choose another to replace them.' },
    },
    after: {
      allow: 'Allowed after content from outside',
      ask: 'Asks after content from outside',
      block: 'Blocked after content from outside',
    },
    /** The row of a tool says this beside its usual decision. */
    shortly: { ask: 'asks after outside content', block: 'blocked after outside content' },
    removeOf: (subject: string) => `Remove the rule: ${subject}`,
    redact: {
      title: 'Take out of results',
      lead: 'Keys, card numbers or personal data are replaced by their kind before an agent reads a result. Answers of raw requests that are no text are held back.',
      from: 'From',
      what: 'What',
      everywhere: 'Every integration',
      kinds: { secrets: 'Keys, tokens and cards', personal: 'Addresses, phone numbers, accounts' },
      effects: {
        secrets: 'Keys, tokens and cards are taken out',
        personal: 'Addresses, phone numbers and accounts are taken out',
      },
    },
  },

  exceptions: {
    title: 'Exceptions',
    lead: 'A rule for an integration wins over the general rules, and a rule for a tool wins over both.',
    none: 'No exceptions. The general rules apply to every integration.',
    search: 'Search exceptions',
    found: (count: number, all: number) =>
      count === all ? plural(all, 'exception') : `${count} of ${plural(all, 'exception')}`,
    noMatch: (query: string) => `No exception matches “${query}”`,
    all: 'All tools',
    kinds: {
      read: 'Tools that read',
      write: 'Tools that change',
      destroy: 'Tools that delete',
    },
    missing: 'No longer on this gateway',
    remove: 'Remove',
    removeOf: (subject: string) => `Remove the exception for ${subject}`,
    removed: (subject: string) => `The exception for ${subject} is removed.`,
    decisionOf: (subject: string) => `What agents may do: ${subject}`,
    saved: {
      allow: (subject: string) => `Allowed from now on: ${subject}.`,
      ask: (subject: string) => `Asks from now on: ${subject}.`,
      block: (subject: string) => `Blocked from now on: ${subject}.`,
    },
    add: 'Add an exception',
    integration: 'Integration',
    chooseIntegration: 'Choose an integration',
    what: 'Tools',
    decision: 'Decision',
    decisions: { allow: 'Allow', ask: 'Ask first', block: 'Block' },
    doAdd: 'Add',
    missingIntegration: 'Choose an integration first.',
  },

  groups: {
    title: 'For groups',
    lead: 'A rule for a group holds for the people whom your sign-in provider or your directory has put into it. It wins over the same rule for everyone.',
    none: 'No rules for groups.',
    add: 'Add a rule for a group',
    group: 'Group',
    everywhere: 'Every integration',
    missing: 'Choose a group, or type its name as your provider spells it.',
    of: (groups: readonly string[]) => `only for ${groups.join(', ')}`,
    ofEveryone: 'for everyone',
    after: 'after content from outside',
    perMinute: (count: number) => `at most ${plural(count, 'call')} a minute`,
    unknown: (group: string) => `Nobody has been seen in “${group}” yet. Check how your provider spells it.`,
    removeOf: (rule: string) => `Remove the rule: ${rule}`,
  },

  integration: {
    title: 'What agents may do',
    choices: { rules: 'My rules', allow: 'Allow', ask: 'Ask', block: 'Block' },
    label: (name: string) => `What agents may do with ${name}`,
    about: {
      rules: (levels: string) => `Your general rules apply: ${levels}.`,
      allow: (name: string) => `Agents use every tool of ${name} without asking.`,
      ask: (name: string) => `You approve each call to ${name}.`,
      block: (name: string) => `Agents cannot use ${name}.`,
    },
    exceptions: (count: number) =>
      count === 1 ? 'One tool has its own rule.' : `${plural(count, 'tool')} have their own rules.`,
    kinds: (levels: string) => `You also have rules for kinds of tools: ${levels}.`,
    everyone: (count: number) =>
      count === 1
        ? 'The rules for everyone are stricter for one tool.'
        : `The rules for everyone are stricter for ${plural(count, 'tool')}.`,
    link: 'All rules',
    saved: {
      rules: (name: string) => `Your general rules apply to ${name} again.`,
      allow: (name: string) => `Agents use ${name} without asking from now on.`,
      ask: (name: string) => `Agents ask before each call to ${name} from now on.`,
      block: (name: string) => `Agents cannot use ${name} from now on.`,
    },
  },

  tool: {
    /** Says where the decision about a tool comes from. */
    by: { tool: 'set here', rules: 'your rules', everyone: 'for everyone' },
    byRequest: 'on the request',
    request: 'It can send any request. GET reads, DELETE deletes, and the rules for each kind apply.',
    change: (tool: string, decided: string, by?: string) =>
      `${tool}: ${decided}${by === undefined ? '' : `, ${by}`}. Change`,
    menu: (tool: string) => `What agents may do with ${tool}`,
    asRules: 'As my rules say',
    now: (decided: string) => `now: ${decided}`,
    about: {
      allow: 'Agents run it without asking.',
      ask: 'You approve each call.',
      block: 'Agents cannot use it.',
    },
    everyone: 'The rules for everyone allow no more than this.',
    saved: {
      rules: (tool: string) => `Your other rules apply to ${tool} again.`,
      allow: (tool: string) => `Agents use ${tool} without asking from now on.`,
      ask: (tool: string) => `Agents ask before each call to ${tool} from now on.`,
      block: (tool: string) => `Agents cannot use ${tool} from now on.`,
    },
  },
};
