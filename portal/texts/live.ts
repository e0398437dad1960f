// Holds the texts of the live view, and of the pages and dialogs that open it.
export const live = {
  page: 'Sign in',
  title: (name: string) => `Sign in to ${name}`,
  titleAs: (name: string, account: string) => `Sign in to ${name} as ${account}`,
  browserTitle: 'Your browser',
  honest:
    'This is a private browser running on your gateway. What you type goes to the site and is never stored.',
  cancel: 'Cancel',
  leave: 'Done',
  toolbar: 'Browser',
  back: 'Back',
  reload: 'Reload',
  address: 'Address',
  paste: 'Paste',
  keyboard: 'Keyboard',
  tabs: 'Tabs',
  untitled: 'New tab',
  closeTab: (title: string) => `Close ${title}`,
  stage: 'The site',
  picture: 'Picture of the site',
  typing: 'Type to the site',
  typingHelp: 'What you type goes to the site. Press F6 or Shift+Escape to leave.',
  lamp: { live: 'Live', waiting: 'Waiting', off: 'Not running' },
  hintKeys: 'Press F6 to leave the window.',
  hint: 'Passkeys don’t work here. Use a password or a code.',
  signedIn: 'I’m signed in',
  signedInLit: (name: string) => `This looks signed in. Press “I’m signed in” to connect ${name}.`,
  capturing: 'Connecting',

  phases: {
    connecting: { title: 'Connecting to your browser', lead: 'One moment.' },
    starting: { title: 'Starting your browser', lead: 'The first time takes a few seconds.' },
    busy: {
      title: 'Your browser is starting',
      lead: 'Another of your windows is starting it. This window continues as soon as it runs.',
    },
    reconnecting: {
      title: 'Connection lost',
      lead: 'Reconnecting… Your browser keeps the page you were on for a while.',
    },
    takenOver: {
      title: 'Your browser is open in another window',
      lead: 'Only one window can control it. Continue there, or use it here.',
      action: 'Use it here',
    },
    ended: {
      title: 'The browser has closed',
      lead: 'It was idle for a while, or it had to stop. Start it again to continue. You stay signed in to your sites.',
      action: 'Start again',
    },
    failed: {
      title: 'Your browser did not start',
      lead: 'The person who runs this gateway can fix it. Until then, you can import a session from your own browser.',
      action: 'Try again',
    },
    refused: { title: 'This browser can’t be opened' },
  },

  notices: {
    crashed: 'This page crashed, and you see its last picture. Reload it to continue.',
    upload: 'The site asked for a file. You can’t upload files here, and signing in should not need one.',
    download: (file: string) => `“${file}” was not downloaded. This browser does not save files.`,
    copied: 'The site copied some text.',
    tooLong: 'This text is too long to paste. The limit is 64 KiB.',
    noAddress: 'Enter the address of a website, such as https://example.com.',
    copy: 'Copy it to this device',
  },

  dialogs: {
    alert: (site: string) => `${site} says`,
    confirm: (site: string) => `${site} asks`,
    prompt: (site: string) => `${site} asks`,
    beforeunload: 'Leave this page?',
    beforeunloadLead: 'What you entered may be lost.',
    answer: 'Your answer',
    ok: 'OK',
    stay: 'Stay',
    go: 'Leave',
  },

  list: { title: 'Choose one' },

  pasting: {
    title: 'Paste into the site',
    lead: 'Press and hold the field, then choose Paste. The text goes to the cursor in the site.',
    field: 'Text',
    send: 'Send',
  },

  field: 'Field on the site',

  method: {
    lead: (name: string) =>
      `You sign in to ${name} once, in a private browser on this gateway. After that, agents can act as you in ${name}.`,
    goOn: 'Open the sign-in',
    instead: 'Import a session instead',
    back: 'Sign in here instead',
  },

  browser: {
    title: 'Open your browser',
    lead: 'This link opens your private browser on this gateway.',
    explain:
      'You see and control the browser from here. What you type goes to the sites and is never stored. The link works once.',
    unasked: 'Only continue if you asked for this link. If you did not, close this page: nothing changes.',
    goOn: 'Continue',
  },
};
