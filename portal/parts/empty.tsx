// Shows that a list is empty, and what the person can do.
import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';

export function Empty({
  icon,
  title,
  lead,
  children,
}: {
  /** What the list would hold. */
  icon: IconName;
  title: string;
  lead: string;
  children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <span class="empty-icon">
        <Icon name={icon} />
      </span>
      <p class="empty-title">{title}</p>
      <p class="muted">{lead}</p>
      {children}
    </div>
  );
}
