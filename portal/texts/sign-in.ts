// The way in.
export const signInTexts = {
  signIn: {
    title: 'Sign in',
    lead: 'The gateway holds your credentials and lends them, safely, to your agents and scripts.',
    expired: 'Your session has ended. Sign in again to return to where you were.',
    left: 'You are signed out.',
    goOn: 'Continue',
    continueWith: (provider: string) => `Continue with ${provider}`,
    providers: { hosted: 'a public account', idp: 'single sign-on' } as Record<string, string>,
    noneTitle: 'No sign-in provider is set up yet',
    noneLead: 'Sign in with a link instead. There are two ways to get one:',
    printedLink: 'Open the portal link that the gateway printed when it started.',
    seedLink: 'Or, where the gateway is installed, make a link for your e-mail address:',
    seedCommand: 'npm run seed -- --email you@example.com',
  },
};
