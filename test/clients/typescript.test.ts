// Runs clients on both SDKs of TypeScript, unmodified, against the real process, as test/clients/python.test.ts does those of
// Python.
import { join } from 'node:path';
import type { ClientProgram } from './client-programs.ts';
import { clientTests } from './use-clients.ts';

const clientOf = (name: string, program: string): ClientProgram => ({
  name,
  language: 'TypeScript',
  command: [process.execPath, join(import.meta.dirname, 'typescript', `${program}.ts`)],
});

clientTests()([clientOf('@modelcontextprotocol/sdk', 'v1'), clientOf('@modelcontextprotocol/client', 'v2')]);
