// Renders the page that asks before an account is connected to a user of the gateway. decision: 025
import { html } from 'hono/html';
import type { Config } from '../config/config.ts';
import type { Html, HtmlPage } from '../http/page.ts';
import type { Integration } from '../kit/integration.ts';

interface Question {
  id: string;
  integration: Pick<Integration, 'name' | 'displayName'>;
  /** The e-mail address of the user that the account would be connected to. */
  email: string;
  /** What the provider calls the account. Undefined when it did not say. */
  account: string | undefined;
  /** What the person calls the account on this gateway. Undefined when they have not named it. */
  label: string | undefined;
  instanceUrl: string | null;
  /** Whether the connection is for everyone. */
  isForTeam: boolean;
  config: Pick<Config, 'SERVER_PUBLIC_URL' | 'PORTAL_URL'>;
}

export function confirmPage({
  id,
  integration,
  email,
  account,
  label,
  instanceUrl,
  isForTeam,
  config,
}: Question): HtmlPage {
  const { name, displayName } = integration;
  const place = instanceUrl === null ? displayName : `${displayName} at ${new URL(instanceUrl).host}`;
  const user = html`<bdi>${toVisible(email)}</bdi>`;
  const body = html`<p>
      This connects your ${displayName} account to a user of this gateway. It was not started in this browser,
      so please check the user: only connect if <strong>${user}</strong> is you.
    </p>
    <dl>
      <div>
        <dt>Gateway user</dt>
        <dd><strong>${user}</strong></dd>
      </div>
      <div>
        <dt>Integration</dt>
        <dd><strong>${place}</strong></dd>
      </div>
      ${nameRow('Account', account)} ${nameRow('Name on this gateway', label)}
      ${nameRow('Connects for', isForTeam ? 'the whole team: everybody who is allowed to use the team connection' : undefined)}
      <div>
        <dt>This user and their agents will be able to</dt>
        <dd>read, change and delete what your ${displayName} account can</dd>
      </div>
    </dl>
    <p class="soft">
      Nothing is connected until you decide. Without an answer the gateway forgets it in ten minutes.
    </p>
    <form class="choice" method="post" action="${config.SERVER_PUBLIC_URL}/api/auth/plugin/${name}/confirm">
      <input type="hidden" name="confirm" value="${id}" />
      <button type="submit">Connect to ${user}</button>
      <button type="submit" class="button" name="answer" value="cancel">Cancel</button>
    </form>`;
  // Browsers apply a form's policy to the redirect that follows, too.
  const leadsTo = [config.SERVER_PUBLIC_URL, config.PORTAL_URL].map((url) => new URL(url).origin);
  return {
    title: `Connect ${displayName}?`,
    body,
    script: ONCE,
    formAction: [...new Set(leadsTo)].join(' '),
  };
}

/** Nothing without a name. */
function nameRow(title: string, name = ''): Html | '' {
  const shown = toVisible(name).slice(0, MAX_NAME_LENGTH);
  if (shown === '') return '';
  return html`<div>
    <dt>${title}</dt>
    <dd>
      <strong><bdi>${shown}</bdi></strong>
    </dd>
  </div>`;
}

export function cancelledPage(
  { displayName }: Pick<Integration, 'displayName'>,
  portalUrl: string,
): HtmlPage {
  return {
    title: `${displayName} is not connected`,
    body: html`<p>
        The gateway has forgotten the access. ${displayName} may still list this gateway among the
        applications that you allowed; you can remove it there.
      </p>
      <p><a href="${portalUrl}">Go to the portal</a></p>`,
  };
}

const MAX_NAME_LENGTH = 200;

// Ignores a second click: it would replace the first request and show an error.
const ONCE = `
let isAnswered = false;
document.querySelector('form').addEventListener('submit', (event) => {
  if (isAnswered) event.preventDefault();
  isAnswered = true;
});
`;

// Others choose these texts, so characters that hide or reverse text are removed.
function toVisible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ').trim();
}
