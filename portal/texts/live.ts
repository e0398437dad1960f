// Every word of the live view and of the ways into it.
export const live = {
  page: 'Sign in',
  title: (name: string) => `Sign in to ${name}`,
  browserTitle: 'Your browser',
  honest:
    'This is a private browser running on your gateway. What you type is passed to the site and never stored.',
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
  typingHelp: 'What you type goes to the site. Press F6 or Shift and Escape to leave.',
  lamp: { live: 'Live', waiting: 'Waiting', off: 'Not running' },
  hintKeys: 'Press F6 to leave the window.',
  hint: 'Passkeys can’t be used here; choose a password or code.',
  signedIn: 'I’m signed in',
  signedInLit: (name: string) => `This looks signed in. Press “I’m signed in” to connect ${name}.`,
  capturing: 'Connecting',

  phases: {
    connecting: { title: 'Reaching your browser', lead: 'One moment.' },
    starting: { title: 'Starting your browser', lead: 'The first time takes a few seconds.' },
    busy: {
      title: 'Your browser is being started',
      lead: 'Another window of yours asked for it first. This one goes on as soon as it runs.',
    },
    reconnecting: {
      title: 'The line was cut',
      lead: 'This window finds its way back by itself. Your browser keeps the page you were on for a while.',
    },
    takenOver: {
      title: 'Your browser is open in another window',
      lead: 'Only one window can drive it. Go on there, or take it over here.',
      action: 'Use it here',
    },
    ended: {
      title: 'The browser has closed',
      lead: 'Nobody used it for a while, or it had to stop. Sites you are signed in to stay signed in; start it again to go on.',
      action: 'Start again',
    },
    failed: {
      title: 'Your browser did not start',
      lead: 'The person who runs this gateway can mend it. Until then you can import a session from your own browser.',
      action: 'Try again',
    },
    refused: { title: 'This browser cannot be opened' },
  },

  notices: {
    crashed: 'This page has crashed: what is shown is its last picture. Reload it to go on.',
    upload: 'The site asked for a file. Nothing can be uploaded from here; signing in should not need it.',
    download: (file: string) => `“${file}” was not downloaded: this browser keeps no files.`,
    copied: 'The site copied a text.',
    tooLong: 'That text is too long to be pasted here: 64 KiB is the most.',
    noAddress: 'That is not the address of a website, such as https://example.com.',
    copy: 'Copy it here too',
  },

  dialogs: {
    alert: (site: string) => `${site} says`,
    confirm: (site: string) => `${site} asks`,
    prompt: (site: string) => `${site} asks`,
    beforeunload: 'Leave this page?',
    beforeunloadLead: 'What you have filled in may be lost.',
    answer: 'Your answer',
    ok: 'OK',
    stay: 'Stay',
    go: 'Leave',
  },

  list: { title: 'Choose one' },

  pasting: {
    title: 'Paste into the site',
    lead: 'Hold the field and choose Paste. The text goes straight to where the cursor is in the site.',
    field: 'Text',
    send: 'Send',
  },

  field: 'Field of the site',

  way: {
    lead: (name: string) =>
      `${name} knows people by their browser only. Sign in to it in a private browser that runs on this gateway; afterwards your agents can use ${name} as you.`,
    goOn: 'Open the sign-in',
    instead: 'Import a session instead',
    back: 'Sign in here instead',
  },

  browser: {
    title: 'Open your browser',
    lead: 'A link leads to the private browser that runs for you on this gateway.',
    explain:
      'Continue, and you see and drive it from here. What you type is passed to the sites and never stored. The link works once.',
    unasked: 'You did not ask for this link? Then close this page; nothing happens.',
    goOn: 'Continue',
  },
};
