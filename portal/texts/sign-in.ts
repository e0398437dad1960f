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
    continueWith: (provider: string) => `Continue with ${provider}`,
    noneTitle: 'Get a sign-in link',
    noneLead: 'Run this on the gateway’s machine:',
    noneWays: [
      { words: 'On the machine:', command: 'npm run link' },
      { words: 'In a container:', command: 'docker exec gateway node dist/server/link.js' },
      { words: 'For another person:', command: 'npm run seed -- --email you@example.com' },
    ],
  },
};
