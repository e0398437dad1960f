// Holds the texts of the page that connects a client, and of its API key.
export const clientsTexts = {
  keys: {
    title: 'API key',
    lead: 'Scripts and clients send it in the x-service-api-key header. Anyone who has it can act as you, so keep it secret.',
    better: 'For an agent, make a separate key: it does only what you allow, and you can delete it alone.',
    makeNamed: 'Make a key for an agent',
    field: 'Your API key',
    none: 'You have no key yet.',
    mint: 'Make a key',
    reveal: 'Reveal',
    hide: 'Hide',
    rotate: 'Rotate',
    rotateTitle: 'Rotate the API key?',
    rotateEffect: 'You get a new key, and the old one stops working at once.',
    rotateLeft: 'Scripts and clients that still send the old key get a 401 until you give them the new key.',
    rotateDo: 'Rotate key',
    remove: 'Delete',
    removeTitle: 'Delete the API key?',
    removeEffect: 'Scripts and clients that send this key get a 401 from now on.',
    removeLeft:
      'Clients that sign in through the browser are not affected. You can make a new key at any time.',
    removeDo: 'Delete key',
    made: 'The new key is ready to copy.',
    removed: 'The key is deleted.',
  },

  clients: {
    title: 'Connect a client',
    lead: 'One address gives your agent every tool you have connected.',
    address: 'The gateway’s MCP address',
    choose: 'Choose your client',
    needsKey: 'These lines need your API key. Make a key first, or replace YOUR_API_KEY yourself.',
    carriesKey: 'The key is hidden in these lines, and included when you copy them.',
    firstCall: {
      waiting: 'Waiting for the first tool call',
      waitingLead: 'Updates as soon as a call arrives.',
      arrived: {
        succeeded: (tool: string) => `It works: ${tool} was just called`,
        failed: (tool: string) => `${tool} was just called, and failed`,
        stopped: (tool: string) => `${tool} was just called, and stopped`,
        other: (tool: string, outcome: string) => `${tool} was just called: ${outcome}`,
      },
      last: {
        succeeded: (tool: string) => `Last call: ${tool}`,
        failed: (tool: string) => `Last call: ${tool}, failed`,
        stopped: (tool: string) => `Last call: ${tool}, stopped`,
        other: (tool: string, outcome: string) => `Last call: ${tool}, ${outcome}`,
      },
    },
    authentication: 'Authentication',
    byBrowser: 'Sign in with the browser',
    byKey: 'Use the API key',
    signIn: 'Sign in when the browser window opens',
    openIn: (client: string) => `Add to ${client}`,
    claudeCode: {
      name: 'Claude Code',
      run: 'Run this in a terminal',
      signIn: 'In Claude Code, type /mcp, choose gateway and sign in',
      ask: 'Ask it: “Which integrations can you use?”',
    },
    cursor: {
      name: 'Cursor',
      open: 'Add it with one click',
      file: 'Or put this into ~/.cursor/mcp.json',
    },
    vsCode: {
      name: 'VS Code',
      open: 'Add it with one click',
      run: 'Or run this in a terminal',
    },
    chatGpt: {
      name: 'ChatGPT',
      developer: 'In ChatGPT, open Settings → Connectors → Advanced and turn on developer mode',
      create: 'Choose Create, paste this address and pick OAuth for authentication',
      reach:
        'ChatGPT needs an https address that it can reach from the internet. This gateway’s address is not https.',
      noSignIn:
        'ChatGPT signs in through OAuth, which is not set up on this gateway. Ask the person who runs this gateway to set HOSTED_CLIENT_ID and HOSTED_CLIENT_SECRET.',
    },
    curl: {
      name: 'curl',
      call: 'Call a tool as plain JSON',
      list: 'List all tools',
      functions: 'Get the tools as functions for the API of a model',
      description: 'Get the tools as an OpenAPI description',
    },
  },
};
