// An agent of the Vercel AI SDK that uses the gateway's tools.
import { createMCPClient } from '@ai-sdk/mcp';
import { openai } from '@ai-sdk/openai';
import { generateText, isStepCount } from 'ai';
import { mcpUrl, readVariables } from '../variables.ts';

/** Each of the gateway's tools answers one text. */
type Answer = { content: [{ text: string }] };

const { GATEWAY_KEY, OPENAI_MODEL } = readVariables('GATEWAY_KEY', 'OPENAI_API_KEY', 'OPENAI_MODEL');

const [task = 'What time is it in Berlin?'] = process.argv.slice(2);

const gateway = await createMCPClient({
  transport: { type: 'http', url: mcpUrl.href, headers: { 'x-service-api-key': GATEWAY_KEY } },
});
try {
  await generateText({
    model: openai.chat(OPENAI_MODEL),
    tools: await gateway.tools(),
    // The gateway says how its tools are used best.
    instructions: gateway.instructions ?? '',
    stopWhen: isStepCount(20),
    prompt: task,
    onStepEnd({ text, toolResults }) {
      if (text !== '') console.log(text);
      // The person needs the link of connect while the model waits for them.
      const connect = toolResults.find(({ toolName }) => toolName === 'connect');
      if (connect !== undefined) console.log((connect.output as Answer).content[0].text);
    },
  });
} finally {
  await gateway.close();
}
