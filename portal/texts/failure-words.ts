// Holds one sentence and a next step for the usual failures of services.
export const failureWords = {
  said: (name: string) => `${name} said:`,
  codes: {
    not_in_channel: () => 'The bot is not in this channel. Invite it there, or choose another channel.',
    channel_not_found: (name: string) =>
      `${name} has no such channel, or the bot cannot see it. Check the channel, or invite the bot.`,
    missing_scope: (name: string) =>
      `Your ${name} account lacks a permission that this needs. Reconnect it, and grant the permission.`,
  } as Readonly<Record<string, (name: string) => string>>,
  refused: (name: string) => `${name} did not accept the arguments. Check them, and run it again.`,
  signIn: (name: string) => `${name} no longer accepts your account. Reconnect it.`,
  forbidden: (name: string) =>
    `Your ${name} account may not do this. Choose another account, or ask for the permission in ${name}.`,
  missing: (name: string) => `${name} found nothing under these names and ids. Check them.`,
  clash: (name: string) => `${name} says that this clashes with what is there. Look there first.`,
  limited: (name: string) => `${name} takes no more calls for the moment. Try again in a minute.`,
  failed: (name: string) =>
    `${name} failed. Try again in a moment, and look there before you repeat a change.`,
};
