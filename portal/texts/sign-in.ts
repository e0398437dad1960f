// Holds the texts of the sign-in page.
export const signInTexts = {
  signIn: {
    title: 'Sign in',
    lead: 'The gateway stores your credentials safely, so that your agents and scripts can use them.',
    expired: 'Your session has ended. Sign in again to return to where you were.',
    left: 'You are signed out.',
    tookOver:
      'Somebody had made an account here with your address, without proof. It was deleted, and you start with an empty one.',
    goOn: 'Continue',
    continueWith: (provider: string) => `Continue with ${provider}`,
    providers: { hosted: 'a public account', idp: 'single sign-on' } as Record<string, string>,
    noneTitle: 'No sign-in provider is set up yet',
    noneLead: 'Sign in with a link instead. There are two ways to get one:',
    printedLink: 'Open the portal link that the gateway printed when it started.',
    seedLink: 'Or make a link for your e-mail address on the machine that runs the gateway:',
    seedCommand: 'npm run seed -- --email you@example.com',
  },
};
