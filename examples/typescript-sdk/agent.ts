// Finds a tool for a task, reads its schema and runs it. Asks the person to connect the service if that is needed.

const [task = 'current time in a time zone', args = '{"timeZone": "Europe/Berlin"}'] = process.argv.slice(2);

/** A person may need minutes to connect a service. Without this the SDK gives up after one. */
export const TIMEOUT_MS = 330_000;

export async function runTask(
  callTool: (name: string, args: Record<string, unknown>) => Promise<Record<string, unknown>>,
): Promise<void> {
  /** Each of the gateway's tools answers one text of JSON. */
  const call = async (name: string, values: Record<string, unknown>) => {
    const { content } = (await callTool(name, values)) as { content: [{ text: string }] };
    return JSON.parse(content[0].text);
  };

  const { tools } = await call('search_tools', { query: task, limit: 1 });
  if (tools.length === 0) return fail(`No tool was found for "${task}"`);
  const [{ name: tool, description, integration }] = tools;
  console.log(`Found ${tool}: ${description}`);

  const { schema } = await call('get_tool_schema', { tool });
  console.log(`Arguments: ${Object.keys(schema.properties).join(', ')}`);

  const execute = async () => {
    const { results } = await call('execute_tools', { executions: [{ tool, args: JSON.parse(args) }] });
    return results[0];
  };
  let outcome = await execute();
  if (outcome.error === 'NOT_CONNECTED') {
    const { connectionId, url, error } = await call('connect', { integration });
    // An error may come with the link to the form of a key.
    if (url === undefined) return fail(error);
    console.log(`Open ${url} and connect ${integration}`);
    const { status } = await call('wait_for_connection', { connectionId });
    console.log(`Connection: ${status}`);
    outcome = await execute();
  }
  if (outcome.error !== undefined) return fail(outcome.message ?? outcome.error);
  console.log(JSON.stringify(outcome.result, null, 2));
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}
