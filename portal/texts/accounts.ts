// Holds the texts about several accounts of one integration.
export const accountsTexts = {
  title: 'Accounts',
  lead: (name: string) =>
    `You have several accounts of ${name}. A call that only reads uses the default account. A call that changes something must name its account, unless you choose a default for changes.`,
  add: 'Add another account',
  addTitle: (name: string) => `Add an account of ${name}`,
  addLead: (name: string) =>
    `If you are signed in to ${name} in this browser, sign out there first. Otherwise you may get the same account again.`,
  nameHelp: 'What you and your agents call this account, such as work.',
  nameLikeProvider: (name: string) => `Named as ${name} names it`,
  nameExample: 'work',
  nameNeeded: (name: string) =>
    `${name} does not tell the gateway whose account it is, so give it a name, such as work.`,
  renews: (label: string, name: string) => `This renews your account “${label}” of ${name}.`,
  adds: (label: string, name: string) => `This adds “${label}” to your accounts of ${name}.`,
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
  disconnectTitle: (label: string) => `Disconnect “${label}”?`,
  disconnectEffect: (label: string) =>
    `The gateway deletes the credentials of ${label}. The other accounts stay connected.`,
};
