// npm run catalog: writes docs/tools.md, a list of every tool for people, portal/marks.svg, the logos of all
// integrations in one file, and integrations/guides.ts, their guides in one module. With --json it prints one JSON array of every tool on stdout and nothing else. With
// --setup <integration> it says how to set that one up. The package and the container have only these two.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Integration, Tool } from '../../src/kit/integration.ts';
import { gatherGuides } from './guides.ts';
import { drawClientMarks } from './client-marks.ts';
import { registry } from './listed-tools.ts';
import { drawMarks } from './marks.ts';
import { FROM_SOURCE } from './paths.ts';
import { describeSetup } from './setup.ts';

const USAGE = `usage: npm run catalog -- [--setup <integration> | --json]

  --setup <integration>  says how to set an integration up: the provider's page, the redirect address, the scopes and
                         the variables
  --json                 prints all tools as JSON

Without an option it writes docs/tools.md, portal/marks.svg and integrations/guides.ts, which needs the sources of the gateway.`;

try {
  run();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function run(): void {
  const { values } = readArguments();
  if (values.help === true) console.log(USAGE);
  else if (values.setup !== undefined) console.log(describeSetup(registry, values.setup, process.env));
  else if (values.json === true) printTools();
  else if (FROM_SOURCE) writePage();
  else throw new Error(USAGE);
}

function readArguments() {
  const options = {
    json: { type: 'boolean' },
    setup: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  try {
    return parseArgs({ options });
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`, { cause: error });
  }
}

function printTools(): void {
  const tools = registry.tools.map(({ tool, integration }) => entry(tool, integration));
  process.stdout.write(`${JSON.stringify(tools)}\n`);
}

function writePage(): void {
  const file = join(import.meta.dirname, '../../docs/tools.md');
  writeFileSync(file, page());
  writeFileSync(join(import.meta.dirname, '../../portal/marks.svg'), drawMarks(registry.integrations));
  writeFileSync(join(import.meta.dirname, '../../portal/clients.svg'), drawClientMarks());
  const folder = join(import.meta.dirname, '../../integrations');
  writeFileSync(join(folder, 'guides.ts'), gatherGuides(folder));
  console.log(
    `${registry.tools.length} tools of ${registry.integrations.length} integrations in docs/tools.md`,
  );
}

function entry({ name, description, access, request, schema }: Tool, integration: Integration) {
  return { integration: integration.name, name, description, access, ...request, schema };
}

/** What an operator sets up once, and what a person does afterwards. */
function how({ name, auth }: Integration): string {
  switch (auth.type) {
    case 'none':
      return 'nothing, because it is built in';
    case 'apikey':
      return 'an API key';
    case 'cookie':
      return 'a sign-in in the live view, or an imported session';
    case 'oauth2': {
      const scopes = auth.scopes.map((scope) => `\`${scope}\``).join(' ');
      const client = `\`${name.toUpperCase()}_CLIENT_ID\``;
      return `a sign-in at the provider (${client}${scopes === '' ? '' : `; scopes: ${scopes}`})`;
    }
  }
}

function page(): string {
  const sections = registry.integrations.map((integration) => {
    const rows = registry.toolsOf(integration).map(row).join('\n');
    return `## ${integration.displayName}\n\n${integration.description}. Connected by: ${how(integration)}.\n\n| Tool | Does | Access | Arguments |\n|---|---|---|---|\n${rows}\n`;
  });
  return `# Tools\n\n\`npm run catalog\` writes this page. It lists ${registry.tools.length} tools of ${registry.integrations.length} integrations. \`!\` marks a required argument.\n\n${sections.join('\n')}`;
}

function row({ name, description, access, schema }: Tool): string {
  const { properties = {}, required = [] } = schema;
  const needed = Array.isArray(required) ? required : [];
  const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
  const args = names.map((each) => `\`${each}${needed.includes(each) ? '!' : ''}\``).join(' ');
  return `| \`${name}\` | ${description.replaceAll('|', '\\|')} | ${access} | ${args} |`;
}
