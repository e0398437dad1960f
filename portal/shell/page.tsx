// Renders a page with its head: sets the tab's title, and focuses the heading after navigation.
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { hasMoved } from '../router/location.ts';
import { texts } from '../texts/texts.ts';
import { setTabTitle } from './tab-title.ts';

interface Props {
  title: string;
  /** The title of the browser's tab, where it says more than the heading. */
  tabTitle?: string | undefined;
  lead?: ComponentChildren;
  /** The element before the title. */
  before?: ComponentChildren;
  actions?: ComponentChildren;
  children?: ComponentChildren;
}

export function Page({ title, tabTitle = title, lead, before, actions, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);

  useLayoutEffect(() => {
    setTabTitle(`${tabTitle} · ${texts.product}`);
  }, [tabTitle]);

  useLayoutEffect(() => {
    if (hasMoved()) heading.current?.focus({ preventScroll: true });
  }, []);

  return (
    <div class="page">
      <div class="page-head">
        {before}
        <div class="page-words">
          <h1 ref={heading} class="page-title" tabIndex={-1}>
            {title}
          </h1>
          {lead !== undefined && <p class="page-lead">{lead}</p>}
        </div>
        {actions !== undefined && actions !== false && <div class="page-actions">{actions}</div>}
      </div>
      {children}
    </div>
  );
}
