// Renders the page that asks before an account is connected to a user of the gateway. decision: 025
import { html } from 'hono/html';
import type { Config } from '../config/config.ts';
import type { Html, HtmlPage } from '../http/page.ts';
import { addressAfter, type LiveLink } from '../kit/actor-links.ts';
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
  /** The link of an actor that the question belongs to. */
  link: LiveLink | undefined;
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
  link,
  config,
}: Question): HtmlPage {
  const { name, displayName } = integration;
  const place = instanceUrl === null ? displayName : `${displayName} at ${new URL(instanceUrl).host}`;
  const user = html`<bdi>${toVisible(link === undefined ? email : link.actor)}</bdi>`;
  const intro =
    link === undefined
      ? html`This connects your ${displayName} account to a user of this gateway. It was not started in this
          browser, so please check the user: only connect if <strong>${user}</strong> is you.`
      : html`This connects your ${displayName} account to <strong>${user}</strong> at
          <strong><bdi>${link.product}</bdi></strong
          >. Only connect if <strong>${user}</strong> is you: whoever uses that account will be able to use
          yours.`;
  const body = html`<p>${intro}</p>
    <dl>
      ${nameRow('Product', link?.product)}
      <div>
        <dt>${link === undefined ? 'Gateway user' : 'Your account there'}</dt>
        <dd><strong>${user}</strong></dd>
      </div>
      <div>
        <dt>Integration</dt>
        <dd><strong>${place}</strong></dd>
      </div>
      ${nameRow('Account', account)} ${nameRow('Name on this gateway', label)}
      ${nameRow('Connects for', isForTeam ? 'the whole team: everybody who is allowed to use the team connection' : undefined)}
      <div>
        <dt>
          ${link === undefined ? 'This user and their agents will' : 'The product and its agents will'} be
          able to
        </dt>
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
  const leadsTo = [config.SERVER_PUBLIC_URL, link?.returnTo ?? config.PORTAL_URL].map(
    (url) => new URL(url).origin,
  );
  return {
    title: `Connect ${displayName}?`,
    body,
    script: ONCE,
    formAction: [...new Set(leadsTo)].join(' '),
    face: link?.face,
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
  link: LiveLink | undefined,
): HtmlPage {
  const back = link === undefined ? 'Go to the portal' : `Back to ${link.product}`;
  const address = link === undefined ? portalUrl : addressAfter(link, { error: 'cancelled' });
  return {
    title: `${displayName} is not connected`,
    body: html`<p>
        The gateway has forgotten the access. ${displayName} may still list this gateway among the
        applications that you allowed; you can remove it there.
      </p>
      <p><a href="${address}">${back}</a></p>`,
    face: link?.face,
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
