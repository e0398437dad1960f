// Holds one sentence and a next step for the usual failures of services.
interface Explained {
  what: string;
  next: string;
}
type Explain = (name: string) => Explained;

export const failureWords = {
  said: (name: string) => `${name} said:`,
  codes: {
    not_in_channel: () => ({
      what: 'The bot is not in this channel.',
      next: 'Invite it there, or choose another channel.',
    }),
    channel_not_found: (name) => ({
      what: `${name} has no such channel, or the bot cannot see it.`,
      next: 'Check the channel, or invite the bot.',
    }),
    missing_scope: (name) => ({
      what: `Your ${name} account lacks a permission that this needs.`,
      next: 'Reconnect it, and grant the permission.',
    }),
  } as Readonly<Record<string, Explain>>,
  /** What the gateway itself refuses by a code. */
  refusals: {
    AMBIGUOUS_ACCOUNT: (name) => ({
      what: `The agent did not say which ${name} account.`,
      next: 'Set a default for changes, or name the account in the call.',
    }),
    UNKNOWN_ACCOUNT: (name) => ({
      what: `You have no ${name} account of that name.`,
      next: 'Name one of your accounts in the call.',
    }),
    NOT_CONNECTED: (name) => ({ what: `${name} was not connected.`, next: '' }),
    APPROVAL_REQUIRED: () => ({
      what: 'It did not run: a rule asks a person first.',
      next: 'The approval says what became of it.',
    }),
    BLOCKED: () => ({
      what: 'It did not run: a rule or a limit of the agent blocks it.',
      next: 'Change the rule if such calls should run.',
    }),
    'Cancelled by the caller': () => ({ what: 'It was stopped before it ended.', next: '' }),
  } as Readonly<Record<string, Explain>>,
  unknown: (name: string) => ({
    what: 'We don’t know if this worked: the call was interrupted.',
    next: `Check in ${name} before it is tried again.`,
  }),
  script: (line: string) => ({
    what: `The script stopped at line ${line}.`,
    next: 'Look at the call of that line.',
  }),
  refused: (name: string) => ({
    what: `${name} did not accept the arguments.`,
    next: 'Check them, and run it again.',
  }),
  signIn: (name: string) => ({ what: `${name} no longer accepts your account.`, next: 'Reconnect it.' }),
  forbidden: (name: string) => ({
    what: `Your ${name} account may not do this.`,
    next: `Choose another account, or ask for the permission in ${name}.`,
  }),
  missing: (name: string) => ({
    what: `${name} found nothing under these names and ids.`,
    next: 'Check them.',
  }),
  clash: (name: string) => ({
    what: `${name} says that this clashes with what is there.`,
    next: 'Look there first.',
  }),
  limited: (name: string) => ({
    what: `${name} takes no more calls for the moment.`,
    next: 'Try again in a minute.',
  }),
  failed: (name: string) => ({
    what: `${name} had an internal error.`,
    next: 'Try again in a moment, and look there before you repeat a change.',
  }),
};
