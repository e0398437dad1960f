// Links to a page of another site, in a new tab. Addresses of anything but a web page become plain text.
import type { ComponentChildren } from 'preact';
import { texts } from '../texts/texts.ts';
import { Icon } from './icon.tsx';

interface Props {
  href: string;
  class?: string;
  children: ComponentChildren;
}

export function OutsideLink({ href, class: looks, children }: Props) {
  if (!/^https?:\/\//i.test(href)) return <span>{children}</span>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" class={looks}>
      {children}
      <span class="visually-hidden"> ({texts.newTab})</span>
      <Icon name="outside" />
    </a>
  );
}
