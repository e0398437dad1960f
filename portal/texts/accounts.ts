// Holds the texts about several accounts of one integration.
export const accountsTexts = {
  title: 'Accounts',
  lead: (name: string) =>
    `You have several accounts of ${name}. Reading uses the default. For changes, agents must say which account, unless you set a default.`,
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
  useForWrites: 'Default for changes',
  useForWritesOf: (label: string) => `Default for changes: ${label}`,
  askForWrites: 'No default for changes',
  askForWritesOf: (label: string) => `No default for changes: ${label}`,
  rename: 'Rename',
  renameOf: (label: string) => `Rename ${label}`,
  name: 'Name of the account',
  save: 'Save name',
  disconnect: 'Disconnect',
  disconnectOf: (label: string) => `Disconnect ${label}`,
  disconnectTitle: (label: string) => `Disconnect “${label}”?`,
  disconnectEffect: (label: string) =>
    `The gateway deletes what it has for ${label}. The other accounts stay connected.`,
};
