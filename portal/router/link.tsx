// Renders a link that navigates inside the portal. The browser handles clicks with a modifier key or another button.
import type { ComponentChildren, AnchorHTMLAttributes } from 'preact';
import { navigate } from './location.ts';

type Props = Omit<AnchorHTMLAttributes, 'href' | 'role'> & {
  href: string;
  children: ComponentChildren;
};

export function Link({ href, children, ...rest }: Props) {
  function follow(event: MouseEvent): void {
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!plain || event.defaultPrevented) return;
    event.preventDefault();
    navigate(href);
  }

  return (
    <a {...rest} href={href} onClick={follow}>
      {children}
    </a>
  );
}
