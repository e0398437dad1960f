#!/usr/bin/env node
// The command of the installed package: starts the gateway, or runs another program of the package. Plain JavaScript,
// because this file must run on the host's Node (20 or newer). decision: 006
import { readFileSync } from 'node:fs';
import * as module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const COMMANDS = {
  link: 'prints a fresh portal link',
  seed: 'makes a user with an API key',
  users: 'lists, invites and changes people',
  connections: 'lists, renames and disconnects accounts',
  catalog: 'says how to set up an integration',
  channel: 'brings events into a session of Claude Code',
  audit: 'checks the sealed audit log',
  backup: 'writes everything the gateway keeps into one file',
  restore: 'brings a backup back',
  'rotate-keys': 'encrypts what is stored under a new key',
};

const USAGE = `usage: tool-gateway [<command>]

Without a command it starts the gateway and prints a link to its portal. The commands are

${Object.entries(COMMANDS)
  .map(([name, meaning]) => `  ${name.padEnd(13)}${meaning}`)
  .join('\n')}

"tool-gateway <command> --help" describes a command. --version prints the version.

Settings are environment variables, such as PORT (3000) and DATA_DIR (${join('~', '.tool-gateway')}), the folder for
everything the gateway keeps. ${join(ROOT, 'docs', 'configuration.md')} lists them all.`;

const [name, ...rest] = process.argv.slice(2);

if (name === undefined) {
  await run('main', []);
} else if (Object.hasOwn(COMMANDS, name)) {
  await run(name, rest);
} else if (name === '--help' || name === '-h') {
  console.log(USAGE);
} else if (name === '--version' || name === '-v') {
  console.log(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version);
} else {
  console.error(`"${name}" is no command.\n\n${USAGE}`);
  process.exitCode = 2;
}

async function run(program, args) {
  // The command runs in any folder and finds the same gateway. An empty variable counts as absent.
  process.env.DATA_DIR = process.env.DATA_DIR?.trim() || join(homedir(), '.tool-gateway');
  // The next start takes the compiled code from there: less processor time, and less memory. Node ignores a folder that
  // it cannot write. The variable is for the Node that launch.mjs may start.
  process.env.NODE_COMPILE_CACHE ||= join(ROOT, 'dist/compile-cache');
  module.enableCompileCache?.();
  process.argv.splice(2, Infinity, join(ROOT, 'dist/server', `${program}.js`), ...args);
  await import('./launch.mjs');
}
