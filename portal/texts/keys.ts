// Holds the texts about keys for single agents, and about what an agent may do.
import { plural } from './plural.ts';

const MAX_NAMES = 3;

export const keysTexts = {
  lastUsed: 'Last used',
  neverUsed: 'Never used',
  remove: 'Delete',
  removeOf: (name: string) => `Delete ${name}`,
  removeTitle: (name: string) => `Delete the key “${name}”?`,
  removeEffect: (name: string) =>
    `${name} stops working right away. Calls that wait for your approval are cancelled.`,
  removeLeft: 'No other key is affected.',
  removed: (name: string) => `The key ${name} is deleted.`,

  form: {
    title: 'A new key',
    name: 'Name',
    nameHelp: 'Say which agent or script it is for.',
    namePlaceholder: 'Claude on my laptop',
    nameMissing: 'Give the key a name.',
    access: 'What it may do',
    accesses: {
      read: { name: 'Only read', about: 'Tools that change or delete are blocked.' },
      write: { name: 'Read and change', about: 'Tools that delete are blocked.' },
      destroy: { name: 'Read, change and delete', about: 'Everything that your rules allow.' },
    },
    integrations: 'Which integrations',
    all: 'All integrations',
    allAbout: 'Including those you connect later.',
    some: 'Only some',
    someAbout: 'You choose which.',
    integrationList: {
      find: 'Search integrations',
      noMatch: (query: string) => `No integration matches “${query}”.`,
    },
    chosen: (count: number) => `${count} chosen`,
    noneChosen: 'Choose at least one integration.',
    tools: 'Which tools',
    toolChoices: {
      kept: { name: 'Its own rules' },
      all: { name: 'All tools', about: 'All that the choices above allow.' },
      some: {
        name: 'Only these tools',
        about: 'Every other tool is blocked, and so is raw HTTP through /c.',
      },
    },
    keptRules: (count: number) =>
      count === 1 ? '1 rule stays as before.' : `${count} rules stay as before.`,
    toolList: {
      find: 'Search tools',
      noMatch: (query: string) => `No tool matches “${query}”.`,
      hidden: (names: readonly string[]) =>
        `The choices above block ${names.length > MAX_NAMES ? plural(names.length, 'more tool') : names.join(', ')}.`,
    },
    noToolChosen: 'Choose at least one tool.',
    isBlocked: 'Blocked above',
    blocked: (names: readonly string[]) =>
      names.length === 1
        ? `${names[0]} is chosen, but the choices above block it.`
        : `The choices above block ${names.length} chosen tools.`,
    missing: 'No longer on this gateway',
    set: 'Only the tools of a set',
    noSet: 'No set',
    setHelp: 'It may then call the tools of this set, and nothing else. The choices above still hold.',
    end: 'Expires',
    ends: {
      never: 'Never',
      week: 'In 7 days',
      month: 'In 30 days',
      quarter: 'In 90 days',
      year: 'In a year',
      date: 'On a day',
    },
    kept: (day: string) => `On ${day}`,
    date: 'Last day',
    dateMissing: 'Choose a day in the future.',
    rate: 'Rate limit',
    rateHelp: 'Calls a minute. Leave empty for no limit.',
    rateWrong: 'Enter a whole number from 1 to 1,000,000, or leave this empty.',
    submit: 'Create key',
    save: 'Save',
  },

  made: {
    title: (name: string) => `The key for ${name} is ready`,
    once: 'Copy it now. The gateway does not show it again.',
    field: (name: string) => `The key ${name}`,
    use: 'Give it to your agent',
    client: 'Agent',
    line: {
      'claude-code': 'Run this in a terminal',
      cursor: 'Put this into ~/.cursor/mcp.json',
      'vs-code': 'Run this in a terminal',
      curl: 'List the tools that it may use',
    },
    hidden: 'The key is hidden in these lines, and included when you copy them.',
    done: 'Done',
  },

  /** What an agent may do, in words. */
  limits: {
    everything: 'May do everything that your rules allow',
    access: { read: 'Only reads', write: 'Reads and changes', destroy: 'Reads, changes and deletes' },
    more: (names: readonly string[], more: number) => `${names.join(', ')} and ${more} more`,
    set: (name: string) => `Only the set ${name}`,
    onlyTools: (names: string) => `Only ${names}`,
    rules: (count: number) => `${plural(count, 'rule')} of its own`,
    rate: (count: number) => `${plural(count, 'call')} a minute`,
    until: (day: string) => `until ${day}`,
    ended: (day: string) => `ended on ${day}`,
  },
};
