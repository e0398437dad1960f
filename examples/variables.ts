// Reads the variables of an example. Without one of them the example says where to get it, and ends with code 2.

const MEANINGS = {
  GATEWAY_KEY: 'a key of the gateway. Make one in the portal, on Agents',
  OPENAI_API_KEY: 'the key of your model provider: OpenAI, or with OPENAI_BASE_URL any that speaks its API',
  OPENAI_MODEL: 'the name of a model that can call tools, such as gpt-5-mini',
};

export function readVariables<Name extends keyof typeof MEANINGS>(
  ...names: readonly Name[]
): Record<Name, string> {
  const missing = names.filter((name) => !process.env[name]);
  for (const name of missing) console.error(`${name} is missing: ${MEANINGS[name]}.`);
  if (missing.length > 0) process.exit(2);
  return Object.fromEntries(names.map((name) => [name, process.env[name]])) as Record<Name, string>;
}

export const mcpUrl = new URL('/mcp', process.env['GATEWAY_URL'] ?? 'http://localhost:3000');
