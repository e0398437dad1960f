// Renders the server's own pages: plain HTML under a strict content policy.
import type { Context } from 'hono';
import { html, raw } from 'hono/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { PAGE_STYLE } from './page-style.ts';

// The logo of the portal: two jacks and the cable between them.
export const MARK = `<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8"/><path d="M10 13.4C10 20 22 12 22 18.6"/><circle class="jack" cx="10" cy="10" r="3.4"/><circle class="plug" cx="22" cy="22" r="4.6"/></svg>`;

export type Html = ReturnType<typeof html>;

export interface HtmlPage {
  title: string;
  body: Html;
  /** The only script that may run. */
  script?: string;
  /** The form targets, as sources of the content policy. */
  formAction?: string;
  /** What stands in place of the gateway's own mark and colours. */
  face?: Face | undefined;
}

/** How somebody else's product looks. Both texts are built or checked by the gateway. */
export interface Face {
  /** A `data:` address of a picture. */
  mark: string | null;
  /** A style after the page's own. */
  style: string | null;
}

export async function sendPage(
  c: Context,
  page: HtmlPage,
  status: ContentfulStatusCode = 200,
): Promise<Response> {
  const { title, body, script, formAction = "'none'", face } = page;
  const style = face?.style ?? null;
  const mark = face === undefined ? raw(MARK) : pictureOf(face);
  const policy = [
    "default-src 'none'",
    `style-src ${await sourceOf(PAGE_STYLE)}${style === null ? '' : ` ${await sourceOf(style)}`}`,
    ...(face === undefined || face.mark === null ? [] : ['img-src data:']),
    ...(script === undefined ? [] : [`script-src ${await sourceOf(script)}`]),
    "font-src 'self'",
    `form-action ${formAction}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${raw(`<style>${PAGE_STYLE}</style>`)}${raw(style === null ? '' : `<style>${style}</style>`)}
      </head>
      <body>
        <main>
          ${mark}
          <h1>${title}</h1>
          ${body}
        </main>
        ${raw(script === undefined ? '' : `<script>${script}</script>`)}
      </body>
    </html>`;
  return c.html(document, status, {
    'Content-Security-Policy': policy.join('; '),
    'X-Frame-Options': 'DENY',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
  });
}

const pictureOf = ({ mark }: Face): Html | '' =>
  mark === null ? '' : html`<img class="mark" src="${mark}" alt="" />`;

/** A browser that navigates asks for HTML; a program does not. */
export function wantsPage(c: Context): boolean {
  return c.req.header('accept')?.includes('text/html') === true;
}

export interface FailurePage {
  title: string;
  sentence: string;
  /** The address of the link back. */
  portalUrl: string;
  /** What the link back is called. Absent for the portal. */
  back?: string;
  face?: Face;
}

/** Answers a failure on a person's way: a page for a browser, JSON for a program. */
export function sendFailure(
  c: Context,
  status: ContentfulStatusCode,
  { title, sentence, portalUrl, back = 'Back to the portal', face }: FailurePage,
): Response | Promise<Response> {
  if (!wantsPage(c)) return c.json({ error: sentence }, status, { 'Cache-Control': 'no-store' });
  const body = html`<p>${sentence}</p>
    <p><a href="${portalUrl}">${back}</a></p>`;
  return sendPage(c, { title, body, face }, status);
}

async function sourceOf(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(hash)))}'`;
}
