// Holds the texts of the three steps that lead to a first call.
export const firstStepsTexts = {
  firstSteps: {
    title: 'Get started in three steps',
    progress: (done: number) => `${done} of 3 done`,
    complete: 'All three done. Your gateway works.',
    hide: 'Hide these steps',
    done: 'Done',
    open: 'To do',
    key: 'Make an API key',
    keyDone: 'Your API key is ready.',
    keyOpen: 'Scripts and agents use it to call the gateway as you.',
    connect: 'Connect an integration',
    connectDone: (names: string) => `Ready to use: ${names}.`,
    connectOpen: (builtIn: string) =>
      builtIn === '' ? 'Choose one below.' : `Choose one below. Already built in: ${builtIn}.`,
    more: (count: number) => `${count} more`,
    call: 'Connect a client',
    callDone: 'The first call has arrived.',
    callOpen:
      'Paste this into a terminal, then ask Claude Code what time it is. Your key is hidden here, included when you copy.',
    waiting: 'Waiting for the first call',
    clients: 'Use Cursor, VS Code, ChatGPT or curl',
  },
};
