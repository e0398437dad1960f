// Runs the clients and frameworks of Python, unmodified, against the real process: each lists, searches and runs, and its
// model mends a wrong argument and a failed call from what it reads. WRITE_CLIENTS=1 writes the table of docs/clients.md.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describeWith } from '../support/describe-with.ts';
import type { ClientProgram } from './client-programs.ts';
import { clientTests } from './use-clients.ts';

const FOLDER = join(import.meta.dirname, 'python');
/** Why Python packages could not be installed: their registry cannot be reached from everywhere. */
const WITHOUT_PYTHON = process.env['WITHOUT_PYTHON_CLIENTS'];

type Row = Omit<ClientProgram, 'language' | 'command'> & { program: string };

/** The clients of each environment: not all of them fit together. */
const CLIENTS: Record<string, Row[]> = {
  'mcp-1': [
    { name: 'mcp', program: 'mcp_1' },
    { name: 'langchain-mcp-adapters', program: 'langchain_adapters' },
    { name: 'semantic-kernel', program: 'semantic_kernel_client', lacks: ['connect'] },
    { name: 'smolagents', program: 'smol_agents' },
    { name: 'google-adk', program: 'google_adk' },
    { name: 'strands-agents', program: 'strands_agents' },
  ],
  'mcp-2': [
    { name: 'mcp', program: 'mcp_2' },
    { name: 'fastmcp', program: 'fast_mcp', throws: true },
    { name: 'openai-agents', program: 'openai_agents' },
    { name: 'llama-index-tools-mcp', program: 'llama_index_tools', losesMembers: true },
    { name: 'pydantic-ai-slim', program: 'pydantic_ai_client' },
  ],
  crewai: [{ name: 'crewai-tools', program: 'crew_ai' }],
};

const testClients = clientTests();

for (const [environment, rows] of Object.entries(CLIENTS)) {
  const python = join(FOLDER, environment, '.venv/bin/python');
  const missing = existsSync(python) ? undefined : `${environment}/.venv is missing; npm run clients:python`;
  const clients = rows.map(({ program, ...row }): ClientProgram => {
    const command = [python, join(FOLDER, `${program}.py`)];
    return { ...row, language: 'Python', command };
  });
  const name = `the Python clients of ${environment}`;
  describeWith(name, missing, () => testClients(clients), { excuse: WITHOUT_PYTHON });
}
