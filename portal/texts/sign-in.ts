// Holds the texts of the sign-in page.
export const signInTexts = {
  signIn: {
    title: 'Sign in',
    lead: 'The gateway stores your credentials safely, so that your agents and scripts can use them.',
    expired: 'Your session has ended. Sign in again to return to where you were.',
    expiredByLink: 'Your session has ended. Run npm run link and open the link to return to where you were.',
    refused: 'This link has expired or is not complete. Sign in again.',
    refusedByLink: 'This link has expired or is not complete. Print a fresh one with npm run link.',
    left: 'You are signed out.',
    tookOver:
      'Someone had created an account with your address without verifying it. It was deleted, and you start with an empty one.',
    goOn: 'Continue',
    continueWith: (provider: string) => `Continue with ${provider}`,
    providers: { hosted: 'a public account', idp: 'single sign-on' } as Record<string, string>,
    noneTitle: 'No sign-in provider is set up yet',
    noneLead:
      'Sign in with a link instead. You get one on the machine that runs the gateway, also while it runs:',
    noneWays: [
      { words: 'On the machine:', command: 'npm run link' },
      { words: 'In a container:', command: 'docker exec gateway node dist/server/link.js' },
      { words: 'For another person:', command: 'npm run seed -- --email you@example.com' },
    ],
  },
};
