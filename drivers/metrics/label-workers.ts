// Puts the metrics of several processes on one page. Each series names its process, because counters of a process that was
// replaced begin at zero: in a sum that would look like a reset of all.
import { WORKER_UP } from './names.ts';

/** Takes the Prometheus text of worker 1, 2 and so on; null for one that did not answer. */
export function labelWorkers(texts: readonly (string | null)[]): string {
  const families = new Map<string, { head: string[]; samples: string[] }>();
  let family = { head: [] as string[], samples: [] as string[] };

  function readLine(line: string, worker: number): void {
    if (!line.startsWith('#')) return void family.samples.push(label(line, worker));
    const [, , name = ''] = line.split(' ', 3);
    family = families.get(name) ?? { head: [], samples: [] };
    families.set(name, family);
    if (!family.head.includes(line)) family.head.push(line);
  }

  for (const [index, text] of texts.entries())
    for (const line of text?.split('\n') ?? []) if (line !== '') readLine(line, index + 1);
  return [
    `# HELP ${WORKER_UP.name} ${WORKER_UP.help}`,
    `# TYPE ${WORKER_UP.name} gauge`,
    ...texts.map((text, index) => label(`${WORKER_UP.name} ${text === null ? 0 : 1}`, index + 1)),
    ...[...families.values()].flatMap(({ head, samples }) => [...head, ...samples]),
    '',
  ].join('\n');
}

/** `name{a="b"} 1` or `name 1`. Names of metrics hold no brace and no space. */
function label(line: string, worker: number): string {
  const end = line.search(/[{ ]/);
  const rest = line[end] === '{' ? `,${line.slice(end + 1)}` : `}${line.slice(end)}`;
  return `${line.slice(0, end)}{worker="${worker}"${rest}`;
}
