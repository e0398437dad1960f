// Reads the options behind the names of the parts: npm run test:hard -- soak --minutes 60.
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    /** Minutes that count in a soak. */
    minutes: { type: 'string', default: '60' },
    /** Processes that are killed, one a minute. */
    kills: { type: 'string', default: '10' },
    /** The commit of the former version. */
    former: { type: 'string' },
  },
});

export const chosenParts: readonly string[] = positionals;
export const { former } = values;

export function readNumber(name: 'minutes' | 'kills'): number {
  const value = Number(values[name]);
  if (!(value > 0)) throw new Error(`--${name} must be a number above zero`);
  return value;
}
