// Holds the texts of the stream of calls: its filters, its histogram and the drawer.
import { plural } from './plural.ts';

export const streamTexts = {
  addFilter: 'Filter',
  chosen: 'Filters in use',
  remove: (filter: string) => `Remove filter: ${filter}`,
  chip: (name: string, value: string) => `${name}: ${value}`,
  everybody: 'Everybody',
  sameError: 'Same error',
  grouped: 'Grouped failures',
  more: 'More about these calls',
  showGrouped: 'Group failures',
  showCalls: 'Show every call',
  refresh: 'Refresh',
  exportAs: { csv: 'Export as CSV', ndjson: 'Export as NDJSON' },
  exportFailed: 'The calls could not be exported. Try again.',
  histogram: {
    label: 'Calls over time',
    help: 'Arrow keys choose a time, with Shift several. Enter shows only its calls.',
    at: (time: string, calls: number, failed: number) =>
      `${time}: ${plural(calls, 'call')}${failed === 0 ? '' : `, ${failed.toLocaleString('en')} failed`}`,
    countedSince: (time: string) => `counted since ${time}`,
    now: 'now',
  },
  drawer: 'The chosen call',
  close: 'Close',
  openPage: 'Open as a page',
  walk: 'Arrow keys go to the next call, Escape closes.',
  today: 'Today',
  yesterday: 'Yesterday',
};
