// Holds the texts about several accounts of one integration.
export const accountsTexts = {
  title: 'Accounts',
  lead: (name: string) =>
    `You have several accounts of ${name}. A call that only reads uses the default account. A call that changes something has to name its account, unless you choose one for such calls.`,
  add: 'To add another account, connect again and sign in to it.',
  isDefault: 'Default',
  isDefaultForWrites: 'Default for changes',
  makeDefault: 'Make default',
  makeDefaultOf: (label: string) => `Make default: ${label}`,
  useForWrites: 'Use for changes',
  useForWritesOf: (label: string) => `Use for changes: ${label}`,
  askForWrites: 'Stop using for changes',
  askForWritesOf: (label: string) => `Stop using for changes: ${label}`,
  rename: 'Rename',
  renameOf: (label: string) => `Rename ${label}`,
  name: 'Name of the account',
  save: 'Save name',
  disconnect: 'Disconnect',
  disconnectOf: (label: string) => `Disconnect ${label}`,
  disconnectTitle: (label: string) => `Disconnect ${label}?`,
  disconnectEffect: (label: string) =>
    `The gateway deletes the credentials of ${label}. The other accounts stay connected.`,
};
