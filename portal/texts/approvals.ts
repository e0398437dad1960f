// Holds the texts of the approvals.
import { plural } from './plural.ts';

const calls = (count: number) => plural(count, 'call');

export const approvalsTexts = {
  title: 'Approvals',
  oneTitle: { pending: 'Approve this call?', decided: 'Approval' },
  lead: 'Calls that need your approval before they run.',
  views: 'Approvals',
  waiting: (count: number) => (count === 0 ? 'Waiting' : `Waiting (${count})`),
  decided: 'Decided',
  all: 'All approvals',

  noneTitle: 'Nothing to approve',
  noneLead: 'A call appears here when a rule requires your approval.',
  askBeforeDeletions: 'Ask before deletions',
  asksNow: 'Your agents ask before they delete from now on.',
  toRules: 'Your rules',
  noneDecidedTitle: 'Nothing here yet',
  noneDecidedLead: 'Calls that you have approved or denied stay here for a week.',

  /** The beginning of the sentence that says what a call would do. */
  act: {
    read: (where: string) => `Read from ${where}`,
    write: (where: string) => `Change in ${where}`,
    destroy: (where: string) => `Delete in ${where}`,
  },
  verb: { read: 'Read', write: 'Change', destroy: 'Delete' },
  named: (verb: string, tool: string) => `${verb}: ${tool}`,
  where: (name: string) => `in ${name}`,
  sentence: (act: string, what: string, where: string) =>
    [act, what === '' ? '' : `“${what}”`, where].filter((each) => each !== '').join(' '),
  asked: 'asked',
  account: (label: string) => `as ${label}`,
  until: 'Waits until',

  facts: {
    because: 'Asked because',
    tool: 'Tool',
    request: 'Request',
    files: 'Files',
    description: 'What the tool does',
    ownWords: (name: string) => `${name}’s description (unverified)`,
  },

  once: 'Approve once',
  hour: 'Approve for an hour',
  deny: 'Deny',
  actionOn: (action: string, sentence: string) => `${action}: ${sentence}`,
  hourMeans: 'For one hour, this exact call runs without asking again.',
  hourMeansInList: '“Approve for an hour” lets this exact call run again without asking.',
  unreadable:
    'The arguments can no longer be opened, so this call cannot be approved. The agent can ask again.',

  denyTitle: (count: number) => (count === 1 ? 'Deny this call?' : `Deny ${calls(count)}?`),
  denyReason: 'Message to the agent',
  denyReasonHelp: 'Optional. The agent reads it.',
  denyConfirm: 'Deny',

  select: (sentence: string) => `Select: ${sentence}`,
  selectAll: 'Select all',
  selected: (count: number) => `${count} selected`,
  clear: 'Clear selection',
  onlyDeny: 'The arguments of a selected call can no longer be opened, so the selection can only be denied.',
  bar: 'Selected calls',
  severalTitle: (count: number, hour: boolean) =>
    hour ? `Approve ${calls(count)} for an hour?` : `Approve ${calls(count)} once?`,
  severalLead: 'You approve exactly these calls:',

  said: {
    once: (sentence: string) =>
      `Approved once. ${sentence}. It runs when the agent sends the same call again.`,
    hour: (sentence: string) =>
      `Approved for an hour. ${sentence}. It runs when the agent sends the call again.`,
    deny: (sentence: string) => `Denied. ${sentence}.`,
    several: {
      once: (count: number) => `${calls(count)} approved once.`,
      hour: (count: number) => `${calls(count)} approved for an hour.`,
      deny: (count: number) => `${calls(count)} denied.`,
    },
    failedSome: (count: number, why: string) => `${calls(count)} could not be decided: ${why}`,
    elsewhere: (sentence: string, state: string) =>
      `This call no longer waits for you. ${sentence}. ${state}`,
    gone: (sentence: string) => `This call is no longer here. ${sentence}.`,
  },

  filter: 'State',
  anyState: 'All states',
  noMatch: 'No approval is in this state',
  /** Short names of the states, in the order of the filter. */
  states: {
    approved: 'Approved',
    running: 'Running',
    done: 'Done',
    failed: 'Failed',
    unknown: 'Unknown',
    denied: 'Denied',
    expired: 'Expired',
  },
  happened: {
    pending: 'It waits for you.',
    approved: 'You approved it once. It runs when the agent sends the same call again, until',
    hour: 'You approved it for an hour. The agent may send the same call any number of times, until',
    running: 'You approved it, and it runs now.',
    done: 'You approved it, and it ran.',
    failed: 'You approved it. It ran and failed.',
    unknown: (name: string) =>
      `We don’t know if this worked: the call was interrupted. Check in ${name} before it is tried again.`,
    denied: 'You denied it.',
    expired: 'Nobody answered in time, so it did not run.',
    /** Also a rule that changed ends a question, and so does an agent that no longer wants the call. */
    endedUnanswered: 'It ended before anybody answered, so it did not run.',
    expiredYes: 'You approved it, but the agent did not send the call again in time. It did not run.',
    expiredHour: 'You approved it for an hour, and the hour is over.',
    ended: 'It was cancelled because a rule, a limit or a sign-in changed. It did not run.',
    endedYes:
      'You approved it, but then a rule, a limit or a sign-in changed. The approval no longer counts.',
    reason: 'You told the agent:',
  },

  missingTitle: 'Approval not found here',
  missingLead: (email: string) => `You are signed in as ${email}.`,
  missingHelp: 'This approval belongs to somebody else, or it is no longer kept.',

  notify: {
    turnOn: 'Notify me',
    turnOff: 'Stop notifying me',
    on: 'This browser tells you when an agent asks, while the portal is open in a tab.',
    off: 'This browser no longer notifies you.',
    blocked: 'Your browser blocks notifications of this site. Allow them in its site settings.',
    refused: 'This browser shows no notifications of web pages.',
    trialTitle: 'Notifications are on',
    trial: 'You are told here when an agent asks for your approval.',
  },
};
