// Renders the choices of the consent page. They need no script. reference: Consent page
import { html } from 'hono/html';
import type { Html } from '../http/page.ts';
import type { Access } from '../kit/access.ts';
import { DAYS, FIELD, levelsWithin } from './consent-choice.ts';

export interface OfferedIntegration {
  name: string;
  title: string;
}

/** The end that is chosen at first. */
const SAFE_DAYS = 90;

const LEVELS = {
  destroy: {
    label: 'Full',
    effect: 'run every tool: read, change and delete, in your name',
  },
  write: {
    label: 'Read and change',
    effect: 'run every tool except those that delete, in your name',
  },
  read: {
    label: 'Read only',
    effect: 'see what you see, and change nothing',
  },
} as const satisfies Record<Access, { label: string; effect: string }>;

/** Reading is chosen at first: a person who wants more says so. */
export function showAccess(scope: string, labelledBy: string): Html {
  const levels = levelsWithin(scope);
  const [only, ...others] = levels;
  if (only !== undefined && others.length === 0) return html`${LEVELS[only].effect}`;
  return html`<fieldset aria-labelledby="${labelledBy}">
    ${levels.map(
      (access, at) =>
        html`<label class="pick">
          <input
            type="radio"
            name="${FIELD.access}"
            value="${access}"
            ${at === levels.length - 1 ? 'checked' : ''}
          />
          <span>${LEVELS[access].label}<small>${LEVELS[access].effect}</small></span>
        </label>`,
    )}
  </fieldset>`;
}

export function showIntegrations(offered: readonly OfferedIntegration[]): Html {
  return html`<details>
    <summary>
      <span class="all">All, including new ones</span>
      <span class="some">Only those chosen here</span>
    </summary>
    <p class="soft">
      Choose those that it may use. If you choose none, it may use all. Integrations that only you have added
      are not known before you sign in: choose them later in the portal, under Agents.
    </p>
    <fieldset class="columns" aria-label="Integrations">
      ${offered.map(
        ({ name, title }) =>
          html`<label class="pick">
            <input type="checkbox" name="${FIELD.integrations}" value="${name}" />
            <span>${title}</span>
          </label>`,
      )}
    </fieldset>
  </details>`;
}

export function showDays(id: string): Html {
  return html`<select id="${id}" name="${FIELD.days}">
      <option value="">never</option>
      ${DAYS.map((days) => html`<option value="${days}" ${days === SAFE_DAYS ? 'selected' : ''}>in ${days === 1 ? '1 day' : `${days} days`}</option>`)}
    </select>
    <small>It also ends after 30 days without use.</small>`;
}
