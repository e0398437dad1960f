// Shows an address to copy, for clients that cannot receive a redirect. reference: OAuth metadata
import { html } from 'hono/html';
import type { HtmlPage } from '../http/page.ts';

export const LANDING: HtmlPage = {
  title: 'Copy this address',
  body: html`<p>Your application is waiting for the address of this page. Copy it, and paste it there.</p>
    <p><input id="address" type="text" readonly aria-label="The address of this page" /></p>
    <noscript><p>Take it from the address bar of your browser.</p></noscript>
    <p class="soft">Do not give it to anybody else: it signs the application in as you.</p>`,
  script: `
const address = document.getElementById('address');
address.value = location.href;
address.addEventListener('focus', () => address.select());
`,
};
