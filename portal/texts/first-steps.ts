// The three steps to a first call.
export const firstStepsTexts = {
  firstSteps: {
    title: 'Three steps to the first call',
    progress: (done: number) => `${done} of 3 done`,
    complete: 'All three done. Your gateway works.',
    hide: 'Hide these steps',
    done: 'Done',
    open: 'To do',
    key: 'Make an API key',
    keyDone: 'Your API key is ready.',
    keyOpen: 'It lets scripts and agents call the gateway as you.',
    connect: 'Connect an integration',
    connectDone: (names: string) => `${names} can be used now.`,
    connectOpen: (builtIn: string) =>
      builtIn === '' ? 'Choose one below.' : `Choose one below. Built in and ready already: ${builtIn}.`,
    more: (count: number) => `${count} more`,
    call: 'Connect a client',
    callDone: 'Its first call has come in.',
    callOpen:
      'Paste this into a terminal, then ask Claude Code what time it is. Copying puts your key in; the screen never shows it.',
    waiting: 'Waiting for its first call',
    clients: 'Cursor, VS Code, ChatGPT or curl',
  },
};
