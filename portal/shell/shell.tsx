// Renders the frame around every page: header, navigation, account menu and toast.
import type { ComponentChildren } from 'preact';
import { Mark } from '../parts/mark.tsx';
import { Link } from '../router/link.tsx';
import { texts } from '../texts/texts.ts';
import { AccountMenu } from './account-menu.tsx';
import { ClientsLink, Navigation } from './navigation.tsx';
import { NetworkBanner } from './network-banner.tsx';
import { Toast } from './toast.tsx';

export function Shell({ children }: { children: ComponentChildren }) {
  return (
    <div class="shell">
      <a class="skip" href="#content">
        {texts.skip}
      </a>
      <header class="side">
        <Link href="/" class="brand">
          <Mark />
          {texts.product}
        </Link>
        <Navigation />
        <ClientsLink />
        <AccountMenu />
      </header>
      <main id="content" tabIndex={-1}>
        <NetworkBanner />
        {children}
      </main>
      <Toast />
    </div>
  );
}
