// Decides when a person is asked before a client continues, and renders the page that asks. decision: 044, 091
import { html } from 'hono/html';
import type { Config } from '../config/config.ts';
import type { HtmlPage } from '../http/page.ts';
import type { OAuthClient } from '../ports/records.ts';
import { redirectPlace } from './redirect-uris.ts';

export function needsConsent(
  redirectUri: string,
  { OAUTH_CONSENT, OAUTH_TRUSTED_HOSTS }: Pick<Config, 'OAUTH_CONSENT' | 'OAUTH_TRUSTED_HOSTS'>,
): boolean {
  switch (OAUTH_CONSENT) {
    case 'always':
      return true;
    case 'never':
      return false;
    case 'untrusted': {
      const { name, isLoopback } = redirectPlace(redirectUri);
      // An address, a host or a scheme: none of them can be mistaken for another.
      const isTrusted = [redirectUri, name].some((receiver) => OAUTH_TRUSTED_HOSTS.includes(receiver));
      return !isLoopback && !isTrusted;
    }
  }
}

interface Question {
  /** The sealed request, which the form sends back. */
  question: string;
  client: OAuthClient;
  redirectUri: string;
  /** The address of "Cancel", which tells the client. */
  cancelUrl: string;
  config: Pick<Config, 'SERVER_PUBLIC_URL' | 'HOSTED_ISSUER_URL'>;
}

export function consentPage({ question, client, redirectUri, cancelUrl, config }: Question): HtmlPage {
  const place = redirectPlace(redirectUri);
  const name = shownName(client.client_name);
  const body = html`<p>
      ${name === '' ? 'An application without a name' : html`An application that calls itself <strong><bdi>${name}</bdi></strong>`}
      wants to use this gateway as you. Only continue if you started this.
    </p>
    <dl>
      <div>
        <dt>${place.isHost ? 'Sends you back to' : 'Sends you back to an application on this device'}</dt>
        <dd><strong>${place.name}</strong></dd>
      </div>
      <div>
        <dt>It will be able to</dt>
        <dd>
          see and run every tool of the integrations you have connected: read, change and delete, in your name
        </dd>
      </div>
      <div>
        <dt>It will not see</dt>
        <dd>your passwords, your provider tokens or your API key</dd>
      </div>
      <div>
        <dt>Until</dt>
        <dd>you disconnect it in the portal, or it has not been used for 30 days</dd>
      </div>
    </dl>
    <p class="soft">If you allow it, you choose next which account to sign in with.</p>
    <form class="choice" method="post" action="${config.SERVER_PUBLIC_URL}/authorize">
      <input type="hidden" name="consent" value="${question}" />
      <button type="submit">Allow and sign in</button>
      <a class="button" href="${cancelUrl}">Cancel</a>
    </form>`;
  // Browsers apply a form's policy to every redirect that follows it, up to the client's, and the provider's
  // redirects are not known here.
  const { SERVER_PUBLIC_URL, HOSTED_ISSUER_URL } = config;
  const leadsTo = [SERVER_PUBLIC_URL, HOSTED_ISSUER_URL, redirectUri].map((url) => new URL(url).protocol);
  const formAction = [...new Set(['https:', ...leadsTo])].join(' ');
  return {
    title: `Connect ${name === '' ? 'an application without a name' : name}?`,
    body,
    script: ONCE,
    formAction,
  };
}

// Ignores a second click: it would replace the first request and show an error.
const ONCE = `
let isAnswered = false;
document.querySelector('form').addEventListener('submit', (event) => {
  if (isAnswered) event.preventDefault();
  isAnswered = true;
});
`;

// The client chooses its name, so characters that hide or reverse text are removed.
function shownName(name: string | null): string {
  return (name ?? '').replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ').trim();
}
