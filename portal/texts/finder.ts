// Holds the texts of the list of tools.
export const finderTexts = {
  only: 'Show',
  choices: {
    all: 'All',
    connected: 'Connected',
    read: 'Reads',
    write: 'Changes',
    destroy: 'Deletes',
  },
  notConnected: 'not connected',
  none: 'No tool is like this.',
};
