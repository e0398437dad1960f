// Holds the texts of the page that connects an agent, and of the personal key.
export const clientsTexts = {
  keys: {
    title: 'Personal key',
    lead: 'It can do everything that you can, without an end. Anyone who has it can act as you, so keep it secret.',
    better: 'Give each agent a key of its own: it does only what you allow, and you can pause it alone.',
    makeNamed: 'Replace with limited keys',
    field: 'Your personal key',
    none: 'You have no key yet.',
    mint: 'Create key',
    reveal: 'Reveal',
    hide: 'Hide',
    rotate: 'Rotate',
    rotateTitle: 'Rotate the personal key?',
    rotateEffect: 'You get a new key, and the old one stops working at once.',
    rotateLeft: 'What still sends the old key stops working until you give it the new one.',
    rotateDo: 'Rotate key',
    remove: 'Delete',
    removeTitle: 'Delete the personal key?',
    removeEffect: 'What sends this key stops working right away.',
    removeLeft: 'Agents with a key of their own, or that signed in, are not affected.',
    removeDo: 'Delete key',
    made: 'The new key is ready to copy.',
    removed: 'The key is deleted.',
  },

  clients: {
    title: 'Connect an agent',
    lead: 'One address gives your agent every tool you have connected.',
    address: 'The gateway’s MCP address',
    addressOfSet: 'The MCP address of the set',
    choose: 'Choose your agent',
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
    signIn: 'Sign in when the browser window opens',
    openIn: (client: string) => `Add to ${client}`,
    claudeCode: {
      name: 'Claude Code',
      run: 'Run this in a terminal',
      signIn: 'In Claude Code, type /mcp, choose gateway and sign in',
    },
    cursor: {
      name: 'Cursor',
      file: 'Put this into ~/.cursor/mcp.json',
    },
    vsCode: {
      name: 'VS Code',
      run: 'Run this in a terminal',
    },
    claude: {
      developer: 'In Claude, open Settings → Connectors and choose Add custom connector',
      create: 'Paste this address, then connect and sign in',
      reach:
        'Claude needs an https address that it can reach from the internet. This gateway’s address is not https.',
      noSignIn:
        'Claude signs in through OAuth, which is not set up on this gateway. Ask the person who runs this gateway to set HOSTED_CLIENT_ID and HOSTED_CLIENT_SECRET.',
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
    },
  },
};
