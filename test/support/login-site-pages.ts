// The pages of the sign-in site. Controls are in rows at fixed places, so that a test can click without
// seeing the page.
export const ROW = { left: 20, top: 20, width: 240, height: 40, step: 60 };

/** Returns the middle of a page's nth control. */
export function middleOf(row: number): { x: number; y: number } {
  return { x: ROW.left + ROW.width / 2, y: ROW.top + row * ROW.step + ROW.height / 2 };
}

/** Returns the middle of the nth of the six boxes on the code page. */
export function boxAt(index: number): { x: number; y: number } {
  return { x: ROW.left + index * 50 + 20, y: ROW.top + ROW.height / 2 };
}

const at = (row: number) =>
  `style="position:absolute;box-sizing:border-box;margin:0;left:${ROW.left}px;top:${ROW.top + row * ROW.step}px;width:${ROW.width}px;height:${ROW.height}px"`;

// `report` tells the test what happened, in order. Its request is synchronous, so it arrives before the page
// is left.
const SCRIPT = `
  const report = (text) => { const r = new XMLHttpRequest(); r.open('POST', '/report', false); r.send(text); };
  const on = (id, name, run) => document.getElementById(id).addEventListener(name, run);
`;

function page(title: string, body: string, script = ''): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><body style="margin:0;font:16px sans-serif">${body}<script>${SCRIPT}${script}</script>`;
}

const credentials = (action: string) => `<form method="post" action="${action}">
  <label><input ${at(0)} id="username" name="username" autocomplete="username" placeholder="User name" aria-label="User name"></label>
  <label><input ${at(1)} id="password" name="password" type="password" autocomplete="current-password" aria-label="Password"></label>
  <select ${at(2)} id="language" name="language" aria-label="Language"><option value="en">English</option><option value="fr">Français</option><option value="de" disabled>Deutsch</option><optgroup label="Asia"><option value="ja">日本語</option></optgroup></select>
  <button ${at(3)} id="submit">Sign in</button></form>`;

/** Returns the pages by path. `other` is the same server under another site's name. */
export function pagesOf(other: string): Record<string, string> {
  return {
    '/': page(
      'Start',
      ['login', 'frame', 'sso', 'tab', 'select', 'download', 'dialogs', 'upload', 'text', 'touch']
        .map((name, row) => `<a ${at(row)} href="/${name}">${name}</a>`)
        .join(''),
    ),
    '/login': page('Sign in', credentials('/login')),
    // A Jenkins, as far as its sign-in goes.
    '/ci/login': page(
      'Sign in to CI',
      credentials('/ci/login'),
      "document.getElementById('username').focus();",
    ),
    '/ci/': page('CI', `<p ${at(0)}>Jobs</p>`),
    '/code': page(
      'Code',
      Array.from(
        { length: 6 },
        (_, index) =>
          `<input class="box" aria-label="Digit ${index + 1}" inputmode="numeric" autocomplete="one-time-code" maxlength="1" style="position:absolute;box-sizing:border-box;left:${ROW.left + index * 50}px;top:${ROW.top}px;width:40px;height:${ROW.height}px">`,
      ).join(''),
      `const boxes = [...document.querySelectorAll('.box')];
       const send = () => {
         const code = boxes.map((box) => box.value).join('');
         if (code.length !== 6) return;
         const form = document.createElement('form'); form.method = 'post'; form.action = '/code';
         const field = document.createElement('input'); field.name = 'code'; field.value = code;
         form.append(field); document.body.append(form); form.submit();
       };
       boxes.forEach((box, index) => {
         box.addEventListener('input', () => { boxes[index + 1]?.focus(); send(); });
         box.addEventListener('paste', (event) => {
           event.preventDefault();
           [...event.clipboardData.getData('text')].slice(0, 6).forEach((digit, i) => { boxes[i].value = digit; });
           send();
         });
       });`,
    ),
    '/frame': page(
      'Frame',
      `<iframe src="${other}/framed" style="position:absolute;border:0;left:300px;top:100px;width:400px;height:300px"></iframe>`,
    ),
    '/framed': page('Framed', credentials('/login')),
    '/sso': page(
      'Single sign-on',
      `<button ${at(0)} id="go">Sign in with Other</button>`,
      `on('go', 'click', () => open('${other}/sso/allow', 'sso', 'popup,width=500,height=400'));
       addEventListener('message', ({ data }) => { if (data === 'signed in') location = '/account'; });`,
    ),
    '/sso/allow': page(
      'Allow?',
      `<form method="post" action="/sso/allow"><button ${at(0)}>Allow</button></form>`,
    ),
    '/tab': page('Tab', `<a ${at(0)} id="tab" href="/select" target="_blank">Open a tab</a>`),
    '/waits': page(
      'Waits',
      `<button ${at(1)}>Wait</button>`,
      "fetch('/wait').then(() => { location.href = '/select'; });",
    ),
    '/select': page(
      'Select',
      `<select ${at(0)} id="fruit" aria-label="Fruit"><option value="">–</option><option value="apple">Apple</option><option value="pear">Pear</option></select>`,
      `on('fruit', 'change', ({ target }) => report('chose ' + target.value));`,
    ),
    '/names': page(
      'Names',
      `<select ${at(0)} id="place" aria-label="Place"><option value="nc">New Caledonia</option><option value="nz">New Zealand</option></select>`,
      `on('place', 'change', ({ target }) => report('chose ' + target.value));`,
    ),
    '/download': page('Download', `<a ${at(0)} href="/file.zip">Download</a>`),
    '/dialogs': page(
      'Dialogs',
      ['alert', 'confirm', 'prompt']
        .map((name, row) => `<button ${at(row)} id="${name}">${name}</button>`)
        .join(''),
      `for (const name of ['alert', 'confirm', 'prompt'])
         on(name, 'click', () => report(name + ' ' + window[name]('Really ' + name + '?', 'given')));`,
    ),
    '/paste': page(
      'Paste',
      `<input ${at(0)} id="code" aria-label="Code">`,
      `on('code', 'paste', (event) => { event.preventDefault(); alert('Type it'); });
       on('code', 'keydown', ({ key }) => report('key ' + key));`,
    ),
    '/app': page(
      'App',
      `<button ${at(0)} id="app">Open the app</button>`,
      `let times = 0;
       on('app', 'click', () => {
         const frame = document.createElement('iframe');
         frame.src = 'some-app-' + ++times + '://open';
         document.body.append(frame);
         report('app ' + times);
       });`,
    ),
    '/upload': page(
      'Upload',
      `<input ${at(0)} id="file" type="file">`,
      `on('file', 'change', ({ target }) => report('file ' + target.files.length));`,
    ),
    '/text': page(
      'Text',
      `<textarea ${at(0)} id="text" aria-label="Text"></textarea><p ${at(1)} id="words">some words</p><button ${at(2)} id="tell">Tell</button>`,
      `const text = document.getElementById('text');
       text.addEventListener('keydown', ({ key, code, ctrlKey, altKey }) => console.log(key, code, ctrlKey, altKey));
       text.addEventListener('compositionend', ({ data }) => report('composed ' + data));
       on('tell', 'click', () => report('text ' + text.value));`,
    ),
    '/date': page(
      'Date',
      `<input ${at(0)} id="day" type="date" aria-label="Day"><button ${at(1)} id="tell">Tell</button>`,
      `on('tell', 'click', () => report('day ' + document.getElementById('day').value));`,
    ),
    '/forged': page(
      'Forged',
      `<select ${at(0)} id="fruit"><option>x</option></select><input ${at(1)} value="stolen" id="field">`,
      `document.getElementById('field').select();
       for (const name of ['copy', 'cut']) dispatchEvent(new ClipboardEvent(name, { clipboardData: new DataTransfer() }));
       document.getElementById('fruit').dispatchEvent(new MouseEvent('mousedown', { bubbles: true }));
       report('forged ' + typeof liveView + ' ' + typeof liveViewTell);`,
    ),
    '/touch': page(
      'Touch',
      `<button ${at(0)} id="pad">Pad</button>`,
      `on('pad', 'pointerdown', ({ pointerType }) => report('pointer ' + pointerType + ' ' + innerWidth));`,
    ),
  };
}

export const signedIn = (user: string) => page('Account', `<p ${at(0)} id="who">Signed in as ${user}</p>`);
export const handOver = (url: string) =>
  page('Done', '', `opener.postMessage('signed in', '${url}'); close();`);
