// Runs programs that use the gateway with somebody else's client, and reads the lines of JSON that they print. A client is
// one program and one row: what it prints is what its model would see.
import * as z from 'zod';
import { type Exit, runProgram } from '../support/gateway-process.ts';

export interface ClientProgram {
  /** The package, as people know it. */
  name: string;
  language: string;
  /** What is set that is not so by itself. */
  setting?: string;
  command: readonly string[];
  /** Tools that the framework cannot show. */
  lacks?: readonly string[];
  /** The framework shows the model only that `executions` is a list of objects. */
  losesMembers?: true;
  /** The framework throws what a failed call says. Its runner, or the caller, passes it to the model. */
  throws?: true;
  /** The framework ends the run at a wrong argument of the nine, so that the model cannot mend it. */
  endsAtWrong?: true;
}

const Line = z.union([
  z.object({ step: z.literal('client'), versions: z.record(z.string(), z.string()) }),
  z.object({ step: z.literal('list'), tools: z.array(z.string()), keepsMembers: z.boolean() }),
  z.object({
    step: z.enum(['search', 'run', 'wrong', 'mended', 'failing', 'repaired']),
    text: z.string(),
    thrown: z.boolean(),
  }),
]);

export interface Seen {
  version: string;
  tools: readonly string[];
  keepsMembers: boolean;
  /** What the model reads at each step, and whether it came as an exception. */
  steps: ReadonlyMap<string, { text: string; thrown: boolean }>;
}

/** Runs a program to its end. */
export async function runClient(
  { command, name }: ClientProgram,
  env: Record<string, string>,
): Promise<Seen> {
  const { exited, output } = runProgram([...command], env);
  const exit: Exit = await exited;
  const lines = output.stdout.split('\n').filter((line) => line.startsWith('{'));
  const seen = lines.map((line) => Line.parse(JSON.parse(line)));
  const client = seen.find((line) => line.step === 'client');
  const list = seen.find((line) => line.step === 'list');
  if (exit.code !== 0 || client === undefined || list === undefined)
    throw new Error(`${name} ended with ${exit.code}: ${output.stderr.slice(-2_000)}`);
  const steps = seen.flatMap((line) => ('text' in line ? [[line.step, line] as const] : []));
  return {
    version: Object.values(client.versions).join(', '),
    tools: list.tools,
    keepsMembers: list.keepsMembers,
    steps: new Map(steps),
  };
}

/** The row of a client in the table of docs/clients.md. */
export function rowOf(
  { endsAtWrong, lacks = [], language, losesMembers, name, setting, throws }: ClientProgram,
  { version }: Seen,
) {
  const cannot = [
    ...lacks.map((tool) => `has no \`${tool}\``),
    ...(losesMembers ? ['shows the members of `executions` in its description only'] : []),
    ...(throws ? ['throws what a failed call says'] : []),
    ...(endsAtWrong ? ['ends its run at a wrong argument'] : []),
  ];
  const called = setting === undefined ? `\`${name}\`` : `\`${name}\` ${setting}`;
  return `| ${called} | ${language} | ${version} | ${cannot.join('; ') || '–'} |`;
}
