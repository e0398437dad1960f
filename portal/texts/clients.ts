// The API key, and the lines that connect a client.
export const clientsTexts = {
  keys: {
    title: 'API key',
    lead: 'For scripts and for clients that send it as the header x-service-api-key. It acts as you, so keep it secret.',
    field: 'Your API key',
    none: 'You have no key yet.',
    mint: 'Make a key',
    reveal: 'Reveal',
    hide: 'Hide',
    rotate: 'Rotate',
    rotateTitle: 'Rotate the API key?',
    rotateEffect: 'You get a new key, and the old one stops working at once.',
    rotateLeft: 'Everything that still sends the old key gets a 401 until you give it the new one.',
    rotateDo: 'Rotate key',
    remove: 'Delete',
    removeTitle: 'Delete the API key?',
    removeEffect: 'Everything that sends this key gets a 401 from now on.',
    removeLeft:
      'Clients that sign in through the browser are not affected. You can make a new key at any time.',
    removeDo: 'Delete key',
    made: 'The new key is ready to copy.',
    removed: 'The key is deleted.',
  },

  clients: {
    title: 'Connect a client',
    lead: 'One address gives any agent every tool that you have connected.',
    address: 'The gateway’s MCP address',
    choose: 'Choose your client',
    needsKey: 'Copied lines carry your API key. Make one first, or put it in place of YOUR_API_KEY.',
    carriesKey: 'The screen shows dots; what you copy carries your API key.',
    firstCall: {
      waiting: 'Waiting for the first tool call',
      waitingLead: 'This lamp turns green when it comes in.',
      arrived: (tool: string) => `It works: ${tool} was just called`,
      last: (tool: string) => `Last call: ${tool}`,
    },
    way: 'How the client is let in',
    byBrowser: 'Signs in by browser',
    byKey: 'Carries the API key',
    signIn: 'Sign in, in the browser window that it opens',
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
      create: 'Choose Create and paste this address, with OAuth as authentication',
      reach:
        'ChatGPT calls from the internet and signs in through OAuth. This gateway’s address is not https, so ChatGPT cannot reach it.',
      noSignIn:
        'ChatGPT signs in through OAuth, and nothing is set up for that here. Ask the person who runs this gateway to set HOSTED_CLIENT_ID and HOSTED_CLIENT_SECRET.',
    },
    curl: {
      name: 'curl',
      call: 'Call a tool as plain JSON',
      list: 'See what else there is',
    },
  },
};
