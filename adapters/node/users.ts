// npm run users -- <command>: lists, invites and changes the people of the gateway, also while it runs.
import { parseArgs } from 'node:util';
import { createEndings, createEndingsCache } from '../../src/auth/endings.ts';
import { EmailAddress } from '../../src/auth/email.ts';
import { createReadRole } from '../../src/auth/role.ts';
import { createDeps, type GatewayPorts } from '../../src/deps.ts';
import { toStream } from '../../src/http/to-stream.ts';
import { enabledProviders } from '../../src/login/providers.ts';
import { createAccess } from '../../src/people/access.ts';
import { createExportPerson } from '../../src/people/export.ts';
import { createPeopleChanges } from '../../src/people/changes.ts';
import { readEveryone } from '../../src/people/everyone.ts';
import type { Person } from '../../src/people/operations.ts';
import { showPerson } from '../../src/people/person.ts';
import { ROLES, type Role } from '../../src/ports/people.ts';
import type { Ports } from '../../src/ports/ports.ts';
import { readExistingConfig } from './existing-gateway.ts';
import { tableOf } from './people-table.ts';
import { openPorts } from './ports.ts';

const USAGE = `usage: npm run users -- <command> [--json]

  list                             everybody, ordered by e-mail address
  invite  --email <address>        lets this address sign in; with --role also as more than a member
  role    --email <address> --role <role>
                                   makes somebody an owner, an administrator or a member
  disable --email <address>        ends the person's keys, tokens and sessions, and keeps the person out
  enable  --email <address>        lets the person in again
  export  --email <address>        prints everything that is stored of the person, as JSON
  delete  --email <address>        deletes the person and everything that they own. It cannot be undone

The roles are ${ROLES.join(', ')}. It needs the environment of the gateway, and works while the gateway runs.`;

const COMMANDS = ['list', 'invite', 'role', 'disable', 'enable', 'export', 'delete'] as const;
type Command = (typeof COMMANDS)[number];

interface Asked {
  command: Command;
  email: string;
  role: Role | undefined;
  json: boolean;
}

async function users(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      email: { type: 'string' },
      role: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) return console.log(USAGE);
  const command = COMMANDS.find((name) => name === positionals[0]);
  if (command === undefined || positionals.length > 1) throw misused('Name one command');
  const asked = {
    command,
    json: values.json,
    email: readEmail(command, values.email),
    role: readRole(command, values.role),
  };
  const config = readExistingConfig(process.env);
  const ports = await openPorts(config, { logTo: process.stderr });
  try {
    console.log(await run(ports, asked));
  } finally {
    await ports.close();
  }
}

async function run(ports: GatewayPorts, { command, email, role, json }: Asked): Promise<string> {
  const hasSignInProvider = enabledProviders(ports.config).length > 0;
  const show = createReadRole(hasSignInProvider);
  const people = createPeople(ports, hasSignInProvider);
  const print = (person: Person) => (json ? JSON.stringify(person) : tableOf([person]));
  switch (command) {
    case 'list': {
      const everybody: Person[] = [];
      for await (const summary of readEveryone(ports)) everybody.push(showPerson(summary, show));
      return json ? JSON.stringify(everybody) : tableOf(everybody);
    }
    case 'invite': {
      const invited = await people.invite('operator', { email, role });
      await tell(ports, invited.id);
      return print(showPerson(invited, show));
    }
    case 'role':
      return print(showPerson(await people.change('operator', await idOf(ports, email), { role }), show));
    case 'export':
      return exportOf(ports, email);
    case 'delete':
      await people.remove('operator', await idOf(ports, email));
      return json ? JSON.stringify({ status: 'deleting' }) : `${email} ${DELETING}`;
    case 'disable':
    case 'enable': {
      const disabled = command === 'disable';
      return print(showPerson(await people.change('operator', await idOf(ports, email), { disabled }), show));
    }
  }
}

/** Stores the mail with the invitation where the gateway sends mail. The running gateway sends it within a minute. */
async function tell(ports: GatewayPorts, id: string): Promise<void> {
  // This process ends too soon to send it.
  const { notify } = await createDeps({ ...ports, integrations: [], mail: null });
  await notify({ kind: 'invitation', userId: id, about: 'invitation', page: '/', name: '' });
}

const DELETING =
  'is being deleted. The running gateway ends what is left within five minutes, or at its next start.';

async function exportOf(ports: Ports, email: string): Promise<string> {
  const id = await idOf(ports, email);
  const user = await ports.store.users.byId(id);
  if (user === null) throw nobody(email);
  const exportPerson = createExportPerson(await createDeps({ ...ports, integrations: [] }));
  return (await new Response(toStream(exportPerson(user))).text()).trimEnd();
}

function createPeople(ports: Ports, hasSignInProvider: boolean) {
  const endings = createEndings({ ...ports, endingsCache: createEndingsCache() });
  return createPeopleChanges({
    ...ports,
    // The operator reads the result, and the log of the gateway is elsewhere.
    log: { shows: () => false, write: () => {} },
    // Nothing runs for anybody in this process. The gateways find the ending in the list.
    access: createAccess({ ...ports, endings, runningWork: { stop: () => {} } }),
    hasSignInProvider,
    readRole: createReadRole(hasSignInProvider),
  });
}

async function idOf({ store }: Pick<Ports, 'store'>, email: string): Promise<string> {
  const user = await store.users.byEmail(email);
  if (user === null) throw nobody(email);
  return user.id;
}

const nobody = (email: string): Error =>
  new Error(`Nobody here has the address ${email}. "npm run users -- list" shows everybody.`);

function readEmail(command: Command, given: string | undefined): string {
  if (command === 'list') {
    if (given !== undefined) throw misused('list takes no --email');
    return '';
  }
  const email = EmailAddress.safeParse(given ?? '');
  if (!email.success) throw misused(`${command} needs --email with an e-mail address`);
  return email.data;
}

function readRole(command: Command, given: string | undefined): Role | undefined {
  if (command !== 'role' && command !== 'invite') {
    if (given !== undefined) throw misused(`${command} takes no --role`);
    return undefined;
  }
  if (given === undefined && command === 'invite') return undefined;
  const role = ROLES.find((name) => name === given);
  if (role === undefined) throw misused(`${command} needs --role with one of ${ROLES.join(', ')}`);
  return role;
}

const misused = (problem: string): Error => new Error(`${problem}\n\n${USAGE}`);

try {
  await users();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
