// Shows who is signed in, the theme switch and the sign-out button.
import { Icon } from '../parts/icon.tsx';
import { useSession } from '../session/session.ts';
import { texts } from '../texts/texts.ts';
import { ThemeSwitch } from './theme-switch.tsx';

export function AccountMenu() {
  const { me, signOut } = useSession();
  return (
    <div class="account">
      <button type="button" class="account-button" popovertarget="account">
        <span class="account-initials" aria-hidden="true">
          {me.email.slice(0, 2).toUpperCase()}
        </span>
        <span class="account-email">{me.email}</span>
        <span class="visually-hidden">{texts.nav.account}</span>
      </button>
      <div id="account" class="account-menu" popover="auto" role="dialog" aria-label={texts.nav.account}>
        <p class="account-who">{me.email}</p>
        <ThemeSwitch />
        <button type="button" class="button" onClick={signOut}>
          <Icon name="leave" />
          {texts.nav.signOut}
        </button>
      </div>
    </div>
  );
}
