// Holds the texts of the page of a single call.
const absolute = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });
const timeOf = (seconds: number) => absolute.format(new Date(seconds * 1000));

export const callTexts = {
  title: 'Call',
  back: 'Activity',
  missingTitle: 'Call not found',
  missingLead: (email: string) => `${email} may not see this call, or it does not exist.`,
  missingHelp: 'Only the person who made a call and administrators can open it.',

  facts: 'About this call',
  of: 'Person',
  somebodyGone: 'Former member',
  caller: 'Called by',
  callers: {
    session: 'The portal',
    key: 'Personal key',
    namedKey: (name: string) => name,
    unnamedKey: 'Unnamed key',
    unnamedClient: 'Unnamed agent',
    unknown: 'Unknown',
  },
  integration: 'Integration',
  account: 'Account',
  teamAccount: 'The account of the team',
  at: 'Time',
  took: 'Took',
  access: 'Access',
  status: 'Provider answered',
  http: (status: number) => `HTTP ${status}`,
  request: 'Request id',
  approval: 'Approval',
  reconnect: 'Reconnect',
  openApproval: 'Open the approval',
  connect: (name: string) => `Connect ${name}`,

  args: 'Arguments',
  raw: 'Request',
  result: 'Result',
  select: 'Chosen part',
  noResult: 'This call has no result.',
  sent: 'What the service sent',
  rawNoResult: 'Bodies and responses of raw HTTP are not kept.',
  cut: 'Too long to keep. You see the beginning; … marks the cut.',
  withheld: (count: number) =>
    count === 1
      ? 'One secret was not kept: it shows as ….'
      : `${count} secrets were not kept: they show as ….`,
  until: (seconds: number) => `Private to you, deleted ${timeOf(seconds)}.`,
  none: 'The arguments and the result of this call are not kept. The gateway keeps them for a day at most.',
  off: 'Saving of call details is off.',
  toSettings: 'Change it in your settings',
  disabled: 'The operator has turned off saving of call details.',
  private: 'Only the person who made this call sees its arguments and result.',

  replayed: 'Nothing ran: the same call with the same key was made before, and got its answer again.',

  again: 'Edit and run',
  openTool: 'Open the tool',
  copyCurl: 'Copy as curl',
  copyLink: 'Copy link',
  copyRequest: 'request id',

  keep: {
    title: 'Details of your calls',
    kept: 'The gateway keeps the arguments and results of your calls for a day, encrypted and without secrets. Only you can open them, in Activity.',
    off: 'Saving of call details is off.',
    disabled: 'The operator has turned this off: the gateway keeps no arguments and results.',
    stop: 'Stop keeping them',
    stopTitle: 'Stop keeping arguments and results?',
    stopEffect: 'Those that are kept now are deleted at once. Activity itself stays.',
    start: 'Keep them for a day',
    stopped: 'Nothing is kept any more.',
    started: 'Kept from now on.',
  },
};
