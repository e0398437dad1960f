// Renders the page for an address without a jot or file. It is the same for each such address, so it tells nothing about names.
import type { Context } from 'hono';
import { html } from 'hono/html';
import { sendPage } from '../../http/page.ts';

/** Without `portalUrl` the page names the portal, but not its address. */
export function sendMissingPage(c: Context, portalUrl: string | null): Promise<Response> {
  const jots = portalUrl === null ? 'Jots' : html`<a href="${portalUrl}/jots">Jots</a>`;
  const body = html`<p>
      The page may have been removed, or the link may be incomplete. Ask the person who sent it to you for a
      new link.
    </p>
    <p class="soft">Is the page yours? You find your pages in the portal, under ${jots}.</p>`;
  return sendPage(c, { title: 'Page not found', body }, 404);
}
