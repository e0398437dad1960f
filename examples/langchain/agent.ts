// A LangChain agent that uses the gateway's tools.
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent } from 'langchain';
import { mcpUrl, readVariables } from '../variables.ts';

const { GATEWAY_KEY, OPENAI_MODEL } = readVariables('GATEWAY_KEY', 'OPENAI_API_KEY', 'OPENAI_MODEL');
const [task = 'What time is it in Berlin?'] = process.argv.slice(2);

const gateway = new MultiServerMCPClient({
  // The tool wait_for_connection waits up to five minutes for the person. The default of the SDK is one minute.
  defaultToolTimeout: 330_000,
  mcpServers: {
    gateway: { url: mcpUrl.href, headers: { 'x-service-api-key': GATEWAY_KEY } },
  },
});
try {
  // The gateway says how its tools are used best.
  const instructions = (await gateway.getClient('gateway'))?.getInstructions() ?? '';
  const agent = createAgent({
    model: new ChatOpenAI({ model: OPENAI_MODEL }),
    tools: await gateway.getTools(),
    systemPrompt: instructions,
  });
  const states = await agent.stream(
    { messages: [{ role: 'user', content: task }] },
    { streamMode: 'values', recursionLimit: 50 },
  );
  for await (const { messages } of states) {
    const message = messages.at(-1);
    // The person needs the link of connect while the model waits for them.
    const isForPerson = message?.type === 'ai' || message?.name === 'connect';
    if (isForPerson && message.text !== '') console.log(message.text);
  }
} finally {
  await gateway.close();
}
