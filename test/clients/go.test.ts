// Runs clients on the SDKs of Go, unmodified, against the real process, as test/clients/python.test.ts does those of Python.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describeWith } from '../support/describe-with.ts';
import type { ClientProgram } from './client-programs.ts';
import { clientTests } from './use-clients.ts';

/** Why the clients could not be built: the registry of Go cannot be reached from everywhere. */
const WITHOUT_GO = process.env['WITHOUT_GO_CLIENTS'];

const programOf = (name: string) => join(import.meta.dirname, 'go/.bin', name);
const clientOf = (name: string, program: string): ClientProgram => ({
  name,
  language: 'Go',
  command: [programOf(program)],
});
const CLIENTS = [
  clientOf('modelcontextprotocol/go-sdk', 'official'),
  clientOf('mark3labs/mcp-go', 'mark3labs'),
];

const testClients = clientTests();
const missing = existsSync(programOf('official')) ? undefined : 'they are not built; npm run clients:go';
describeWith('the Go clients', missing, () => testClients(CLIENTS), { excuse: WITHOUT_GO });
