// Shows who is signed in, the person's own pages, the theme switch and the sign-out button.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../parts/icon.tsx';
import { useLocation } from '../router/location.ts';
import { useSession } from '../session/session.ts';
import { texts } from '../texts/texts.ts';
import { AdministrationLinks, NavLink } from './navigation.tsx';
import { ThemeSwitch } from './theme-switch.tsx';

export function AccountMenu() {
  const { me, signOut } = useSession();
  const { path } = useLocation();
  const menu = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => menu.current?.hidePopover(), [path]);
  return (
    <div class="account">
      <button type="button" class="account-button" popovertarget="account">
        <span class="account-initials" aria-hidden="true">
          {me.email.slice(0, 2).toUpperCase()}
        </span>
        <span class="account-email">{me.email}</span>
        <span class="visually-hidden">{texts.nav.account}</span>
      </button>
      <div
        ref={menu}
        id="account"
        class="account-menu"
        popover="auto"
        role="dialog"
        aria-label={texts.nav.account}
      >
        <p class="account-who">{me.email}</p>
        <div class="account-links">
          <NavLink href="/settings" icon="person" label={texts.nav.settings} />
          <AdministrationLinks id="administration-here" />
        </div>
        <ThemeSwitch />
        <button type="button" class="button" onClick={signOut}>
          <Icon name="leave" />
          {texts.nav.signOut}
        </button>
      </div>
    </div>
  );
}
