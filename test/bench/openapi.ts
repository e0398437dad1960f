// Measures the reading of real OpenAPI descriptions, each in a process of its own, and prints a table for docs/performance.md.
import { execFileSync } from 'node:child_process';
import { readDescription } from '../../src/imports/openapi/document.ts';
import { readOpenApi } from '../../src/imports/openapi/read.ts';
import { findReal, REAL, REAL_MODULES, readReal } from '../support/openapi-corpus.ts';

const MIB = 1024 * 1024;

interface Row {
  version: string;
  mebibytes: number;
  operations: number;
  tools: number;
  warnings: number;
  largest: number;
  milliseconds: number;
  memory: number;
}

async function measure(path: string): Promise<Row> {
  const text = readReal(path);
  // The first reading loads the YAML parser.
  await readDescription('openapi: 3.1.0');
  const started = performance.now();
  const source = await readOpenApi(text, { address: 'https://api.example.com/openapi' });
  const milliseconds = performance.now() - started;
  const memory = process.resourceUsage().maxRSS / 1024;
  const { root, version } = await readDescription(text);
  return {
    version,
    mebibytes: Buffer.byteLength(text) / MIB,
    operations: countOperations(root['paths']),
    tools: source.tools.length,
    warnings: source.warnings.length,
    largest: Math.max(...source.tools.map(({ inputSchema }) => JSON.stringify(inputSchema).length)) / 1024,
    milliseconds,
    memory,
  };
}

function countOperations(paths: unknown): number {
  const methods = /^(get|put|post|delete|patch|head|options|trace|query)$/;
  return Object.values(paths ?? {}).reduce<number>(
    (sum, item: unknown) => sum + Object.keys(item ?? {}).filter((name) => methods.test(name)).length,
    0,
  );
}

const [path] = process.argv.slice(2);
if (path === undefined) {
  console.log(
    '| Description | Package | Version | MiB | Operations | Tools | Warnings | Largest schema, KiB | ms | Peak memory, MiB |',
  );
  console.log('|---|---|---|---:|---:|---:|---:|---:|---:|---:|');
  for (const real of [...REAL, ...REAL_MODULES]) {
    const file = findReal(real);
    if (file === null) console.log(`| ${real.name} | \`${real.package}\` is not installed |`);
    else {
      const out = execFileSync(process.execPath, [...process.execArgv, import.meta.filename, file], {
        encoding: 'utf8',
      });
      // The child printed a row.
      const row = JSON.parse(out) as Row;
      const { version, mebibytes, operations, tools, warnings, largest, milliseconds, memory } = row;
      console.log(
        `| ${real.name} | \`${real.package}\` | ${version} | ${mebibytes.toFixed(2)} | ${operations} | ${tools} | ${warnings} | ${largest.toFixed(1)} | ${milliseconds.toFixed(0)} | ${memory.toFixed(0)} |`,
      );
    }
  }
} else console.log(JSON.stringify(await measure(path)));
