// Shows that a list is empty, and what the person can do.
import type { ComponentChildren } from 'preact';

export function Empty({
  title,
  lead,
  children,
}: {
  title: string;
  lead: string;
  children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <span class="empty-jacks" aria-hidden="true" />
      <p class="empty-title">{title}</p>
      <p class="muted">{lead}</p>
      {children}
    </div>
  );
}
