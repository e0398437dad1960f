// Runs clients and frameworks of Java, unmodified, against the real process, as test/clients/python.test.ts does those of
// Python.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describeWith } from '../support/describe-with.ts';
import type { ClientProgram } from './client-programs.ts';
import { clientTests } from './use-clients.ts';

/** Why the clients could not be built: the registry of Java cannot be reached from everywhere. */
const WITHOUT_JAVA = process.env['WITHOUT_JAVA_CLIENTS'];

const classesOf = (set: string) => join(import.meta.dirname, 'java/.classes', set);
const libraryOf = (set: string) => join(import.meta.dirname, 'java/.lib', set);

type Row = Omit<ClientProgram, 'language' | 'command'> & { set: string; program: string; args?: string[] };

function clientOf({ args = [], set, program, ...row }: Row): ClientProgram {
  // They start in half the time: no program runs for long.
  const quick = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];
  const command = ['java', ...quick, '-cp', `${classesOf(set)}:${libraryOf(set)}/*`, program, ...args];
  return { ...row, language: 'Java', command };
}

const CLIENTS = [
  clientOf({ name: 'io.modelcontextprotocol.sdk', set: 'official-1', program: 'Official' }),
  clientOf({ name: 'io.modelcontextprotocol.sdk', set: 'official-2', program: 'Official' }),
  clientOf({ name: 'langchain4j-mcp', set: 'langchain4j', program: 'LangChain4j', endsAtWrong: true }),
  clientOf({
    name: 'langchain4j-mcp',
    set: 'langchain4j',
    program: 'LangChain4j',
    // It says so in `initialize` only, and the gateway reads the header.
    args: ['MCP-Protocol-Version', '2025-11-25'],
    setting: 'with a header `MCP-Protocol-Version: 2025-11-25`',
  }),
  clientOf({ name: 'spring-ai-mcp', set: 'spring-ai', program: 'SpringAi' }),
];

const testClients = clientTests();
const isBuilt = existsSync(join(classesOf('spring-ai'), 'SpringAi.class'));
const missing = isBuilt ? undefined : 'they are not built; npm run clients:java';
describeWith('the Java clients', missing, () => testClients(CLIENTS), { excuse: WITHOUT_JAVA });
