// Renders the portal, as soon as the part with the first page is here.
import { render } from 'preact';
import { App } from './app.tsx';
import { here } from './router/location.ts';
import { loadPage } from './routes.ts';

/** A part that is later than this is waited for inside the frame of all pages. */
const LATE_MS = 300;

async function show(): Promise<void> {
  const late = new Promise((resolve) => setTimeout(resolve, LATE_MS));
  await Promise.race([loadPage(here().path).catch(() => undefined), late]);
  // Scripts from the browser's cache may run before the document has arrived.
  if (document.readyState === 'loading')
    await new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve, { once: true }));
  const root = document.getElementById('portal');
  if (root === null) throw new TypeError('index.html has no #portal');
  render(<App />, root);
}

void show();

// Accepts changed modules in development. Typed and loaded data survives, because its modules did not change.
import.meta.hot?.accept();
