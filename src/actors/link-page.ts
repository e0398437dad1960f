// Renders the pages that the browser of an actor sees before it is at the provider. decision: 074
import { html } from 'hono/html';
import type { Html, HtmlPage } from '../http/page.ts';
import { type LiveLink } from '../kit/actor-links.ts';
import type { Integration } from '../kit/integration.ts';
import type { ApiKeyField } from '../kit/manifest.ts';
import { LINK_PATH } from './links.ts';

interface Question {
  base: string;
  token: string;
  live: LiveLink;
  integration: Pick<Integration, 'displayName'>;
  /** What has to be typed here. A provider asks for everything else. */
  fields: readonly ApiKeyField[];
  /** Why what was typed before cannot be used. */
  problem?: string;
}

/** Asks before anything begins: whoever opens somebody else's link would give their account away. */
export function askPage({ base, token, live, integration, fields, problem }: Question): HtmlPage {
  const { displayName } = integration;
  const who = html`<strong><bdi>${live.actor}</bdi></strong>`;
  const product = html`<strong><bdi>${live.product}</bdi></strong>`;
  const body = html`<p>
      ${product} asks to use your ${displayName} account. Only go on if you are ${who} at ${product}, and have
      asked for this yourself.
    </p>
    ${problem === undefined ? '' : html`<p role="alert"><strong>${problem}</strong></p>`}
    <form method="post" action="${base}${LINK_PATH}">
      <input type="hidden" name="t" value="${token}" />
      ${fields.map(fieldRow)}
      <p class="soft">
        Did somebody send you this link? Then do not go on: your ${displayName} account would be connected to
        theirs.
      </p>
      <div class="choice"><button type="submit">Connect ${displayName}</button></div>
    </form>`;
  const leadsTo = [base, live.returnTo].map((url) => new URL(url).origin);
  return {
    title: `Connect ${displayName} to ${live.product}`,
    body,
    formAction: [...new Set(leadsTo)].join(' '),
    face: live.face,
  };
}

function fieldRow({ key, label, secret, required, placeholder, help, options }: ApiKeyField): Html {
  const name = `field-${key}`;
  const input =
    options === undefined
      ? html`<input
          id="${name}"
          name="${name}"
          type="${secret ? 'password' : 'text'}"
          autocomplete="off"
          placeholder="${placeholder ?? ''}"
          ${required ? 'required' : ''}
        />`
      : html`<select id="${name}" name="${name}">
          ${options.map((option) => html`<option>${option}</option>`)}
        </select>`;
  return html`<label for="${name}">${label}</label>${help === undefined ? '' : html`<small>${help}</small>`}
    ${input}`;
}

/** A form's policy would also hold for a redirect, and nobody knows the provider's address when the form is made. */
export function leavePage(
  url: string,
  live: LiveLink,
  { displayName }: Pick<Integration, 'displayName'>,
): HtmlPage {
  return {
    title: `On to ${displayName}`,
    body: html`<p><a id="on" href="${url}">Go on to ${displayName}</a></p>`,
    script: LEAVE,
    face: live.face,
  };
}

const LEAVE = `
location.replace(document.getElementById('on').href);
`;

export const overPage = (): HtmlPage => ({
  title: 'This link is over',
  body: html`<p>
    It was used already, has expired, or was opened in another browser. Go back to where you got it, and ask
    for a new one.
  </p>`,
});
