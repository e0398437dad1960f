// npm run connections -- list|rename|default|disconnect: shows and changes the connections of a person, also while the
// gateway runs. reference: Several accounts
import { parseArgs } from 'node:util';
import { OWNER_EMAIL } from '../../src/ports/records.ts';
import { createDeps, type Deps } from '../../src/deps.ts';
import type { User } from '../../src/ports/records.ts';
import { chooseDefault, disconnect, list, rename, type Work } from './connection-commands.ts';
import { readExistingConfig } from './existing-gateway.ts';
import { readEmail } from './owner.ts';
import { openPorts } from './ports.ts';

const USAGE = `usage: npm run connections -- <command> [--email you@example.com] [--json]

  list        [--integration github]                         lists the accounts and their status
  rename      --integration github --account work --label "Work GitHub"
  default     --integration github --account work            uses the account for calls that only read and name none
              [--writes]                                     does so for calls that can change something
              [--off]                                        ends that
  disconnect  --integration github [--account work]          revokes and deletes one account, or all of the integration

Without --email it is the owner. --account is a label that "list" shows. --json prints JSON.
A running gateway needs no restart: it reads the stored accounts at each call.`;
const HELP = 'npm run connections -- --help';

const STRINGS = ['integration', 'account', 'label'] as const;
const FLAGS = ['writes', 'off'] as const;
type Values = Partial<Record<(typeof STRINGS)[number], string> & Record<(typeof FLAGS)[number], boolean>>;

/** Reads the options of one command, before anything is opened. */
const COMMANDS: Readonly<Record<string, (given: Given) => Work>> = {
  list: (given) => list(given.text('integration')),
  rename: (given) =>
    rename(given.required('integration'), given.required('account'), given.required('label')),
  default: (given) =>
    chooseDefault(given.required('integration'), given.required('account'), {
      use: given.flag('writes') ? 'writes' : 'reads',
      on: !given.flag('off'),
    }),
  disconnect: (given) => disconnect(given.required('integration'), given.text('account')),
};

/** The options that were given. What a command does not read is refused. */
class Given {
  readonly #command: string;
  readonly #values: Values;

  constructor(command: string, values: Values) {
    this.#command = command;
    this.#values = { ...values };
  }

  text(name: (typeof STRINGS)[number]): string | undefined {
    const value = this.#values[name];
    delete this.#values[name];
    return value;
  }

  required(name: (typeof STRINGS)[number]): string {
    const value = this.text(name);
    if (value === undefined) throw new Error(`"${this.#command}" needs --${name}. See ${HELP}`);
    return value;
  }

  flag(name: (typeof FLAGS)[number]): boolean {
    const value = this.#values[name] === true;
    delete this.#values[name];
    return value;
  }

  refuseRest(): void {
    for (const name of [...STRINGS, ...FLAGS])
      if (this.#values[name] !== undefined)
        throw new Error(`"${this.#command}" does not take --${name}. See ${HELP}`);
  }
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      email: { type: 'string' },
      integration: { type: 'string' },
      account: { type: 'string' },
      label: { type: 'string' },
      writes: { type: 'boolean' },
      off: { type: 'boolean' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const { email, json, help, ...rest } = values;
  if (help === true) return console.log(USAGE);
  const [name = '', ...more] = positionals;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined || more.length > 0) throw new Error(USAGE);
  const given = new Given(name, rest);
  const work = command(given);
  given.refuseRest();
  const address = email === undefined ? undefined : readEmail(email, `See ${HELP}`);
  const ports = await openPorts(readExistingConfig(process.env), { logTo: process.stderr });
  try {
    const deps = await createDeps(ports);
    const answer = await work({ deps, user: await requireUser(deps, address) });
    console.log(json === true ? JSON.stringify(answer.json) : answer.text);
  } finally {
    await ports.close();
  }
}

async function requireUser({ store }: Deps, email: string | undefined): Promise<User> {
  const user = await store.users.byEmail(email ?? OWNER_EMAIL);
  if (user !== null) return user;
  throw new Error(
    email === undefined
      ? 'This gateway has no owner who signed in without a provider. Name the person with --email you@example.com'
      : `Nobody here has the address ${email}. Use the address that the portal shows the person.`,
  );
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
