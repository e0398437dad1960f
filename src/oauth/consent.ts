// Decides when a person is asked before a client continues, and renders the page that asks. decision: 021
import { html } from 'hono/html';
import type { Config } from '../config/config.ts';
import type { HtmlPage } from '../http/page.ts';
import type { OAuthClient } from '../ports/records.ts';
import { type OfferedIntegration, showAccess, showDays, showIntegrations } from './consent-form.ts';
import { shownText } from '../kit/shown-text.ts';
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
  /** What the client asks for. The page offers this and less. */
  scope: string;
  /** The name of the set that the client asks for. Null asks for everything. */
  set: string | null;
  integrations: readonly OfferedIntegration[];
  /** The address of "Cancel", which tells the client. */
  cancelUrl: string;
  config: Pick<Config, 'SERVER_PUBLIC_URL' | 'HOSTED_ISSUER_URL'>;
}

export function consentPage(asked: Question): HtmlPage {
  const { question, client, redirectUri, scope, set, integrations, cancelUrl, config } = asked;
  const place = redirectPlace(redirectUri);
  const name = shownText(client.client_name);
  const body = html`<p>
      ${name === null ? 'An agent without a name' : html`<strong><bdi>${name}</bdi></strong> (name not verified)`}
      wants to use this gateway as you. Only continue if you started this.
    </p>
    <form method="post" action="${config.SERVER_PUBLIC_URL}/authorize" autocomplete="off">
      <input type="hidden" name="consent" value="${question}" />
      <dl>
        <div class="line">
          <dt>${place.isHost ? 'Sends you back to' : 'Sends you back to an application on this device'}</dt>
          <dd><strong>${place.name}</strong></dd>
        </div>
        <div>
          <dt id="may">Access</dt>
          <dd>${showAccess(scope, 'may')}</dd>
        </div>
        ${
          set === null
            ? ''
            : html`<div>
                <dt>Only the tools of the set</dt>
                <dd><strong>${set}</strong></dd>
              </div>`
        }
        <div>
          <dt>Integrations</dt>
          <dd>${showIntegrations(integrations)}</dd>
        </div>
        <div class="line">
          <dt><label for="until">Expires</label></dt>
          <dd>${showDays('until')}</dd>
        </div>
      </dl>
      <p class="soft">
        It never sees your passwords, tokens or API key. Next, you choose which account to sign in with. You
        can change all this later in the portal, under Agents.
      </p>
      <div class="choice">
        <button type="submit">Allow and sign in</button>
        <a class="button" href="${cancelUrl}">Cancel</a>
      </div>
    </form>`;
  // Browsers apply a form's policy to every redirect that follows it, up to the client's, and the provider's
  // redirects are not known here.
  const { SERVER_PUBLIC_URL, HOSTED_ISSUER_URL } = config;
  const leadsTo = [SERVER_PUBLIC_URL, HOSTED_ISSUER_URL, redirectUri].map((url) => new URL(url).protocol);
  const formAction = [...new Set(['https:', ...leadsTo])].join(' ');
  return {
    title: `Connect ${name === null ? 'an agent without a name' : name}?`,
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
