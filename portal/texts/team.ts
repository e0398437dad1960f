// Holds the texts about connections of the team.
import { plural } from './plural.ts';

export const teamTexts = {
  /** What agents call the account, too. */
  label: 'team',
  ofTeam: 'with the team’s account',
  title: 'For the whole team',
  lead: (name: string) => `A shared ${name} account. People’s own accounts take precedence.`,
  none: 'Nobody has connected it for the team yet.',
  connect: 'Connect for the team',
  connectAgain: 'Connect again',
  connectTitle: (name: string) => `Connect ${name} for the team`,
  connectLead:
    'You connect for everyone. Use an account that belongs to the team. Nobody can use it before you say who may.',
  signedInAs: 'Signed in as',
  connectedBy: 'Connected by',
  somebody: 'a former member',
  lastUsed: 'Last used',
  neverUsed: 'Never used',
  who: 'Who may use it',
  whoChoices: {
    nobody: { name: 'Nobody', about: 'It stays connected, and no agent can use it.' },
    people: { name: 'Some people', about: 'You name them by their e-mail address.' },
    everyone: { name: 'Everyone', about: 'Everybody on this gateway, now and later.' },
  },
  people: 'E-mail addresses',
  peopleHelp: 'One per line. The people must have been invited.',
  peopleMissing: 'Enter at least one e-mail address.',
  access: 'What their agents may do at most',
  accessChoices: {
    read: { name: 'Read', about: 'Calls that change something are blocked.' },
    write: { name: 'Read and change', about: 'Calls that delete something are blocked.' },
    destroy: { name: 'Everything', about: 'Also delete. Each person’s rules still hold.' },
  },
  save: 'Save',
  saved: (name: string) => `Saved. It applies from the next call to ${name}.`,
  disconnectTitle: (name: string) => `Disconnect ${name} for the team?`,
  disconnectEffect: (name: string) =>
    `The gateway deletes the team’s ${name} account. Calls of everybody who used it fail. Accounts that people have connected themselves stay.`,
  list: 'Team accounts',
  listLead: 'Integrations that an administrator has connected once for everyone.',
  listNone: 'No integration is connected for the team. To connect one, open the integration.',
  mayUse: {
    everyone: 'Everyone',
    people: (count: number) => (count === 0 ? 'Nobody' : plural(count, 'person', 'people')),
  },
  mine: {
    only: (name: string) => `You use the team’s account of ${name}, because you have none of your own.`,
    chosen: (name: string) => `Your agents use the team’s account of ${name} when they name no account.`,
    beside: (name: string) => `You may also use the team’s account of ${name}: agents call it “team”.`,
    access: {
      read: 'Agents may only read with it.',
      write: 'Agents may read and change with it, and not delete.',
      destroy: 'Agents may do everything with it.',
    },
    broken: 'It does not work at the moment. An administrator has to connect it again.',
    use: 'Use the team’s account by default',
    useOwn: 'Use my own account by default',
  },
};
