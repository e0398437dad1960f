// Renders the frame around every page: header, navigation, account menu and toast. It knows which calls wait for approval.
import type { ComponentChildren } from 'preact';
import { Mark } from '../parts/mark.tsx';
import { Link } from '../router/link.tsx';
import { useWaitingPoll, WaitingContext } from '../state/use-approvals.ts';
import { texts } from '../texts/texts.ts';
import { AccountMenu } from './account-menu.tsx';
import { useApprovalNotices } from './approval-notices.ts';
import { AdministrationLinks, ClientsLink, Navigation } from './navigation.tsx';
import { LineLamp, NetworkBanner } from './network-banner.tsx';
import { notifyState } from './notifications.ts';
import { QuickAccess } from './quick-access.tsx';
import { useTabCount } from './tab-title.ts';
import { Toast } from './toast.tsx';

export function Shell({ children }: { children: ComponentChildren }) {
  const waiting = useWaitingPoll(() => notifyState() === 'on');
  useTabCount(waiting.data?.length ?? 0);
  useApprovalNotices(waiting.data);
  return (
    <WaitingContext.Provider value={waiting}>
      <div class="shell">
        <a class="skip" href="#content">
          {texts.skip}
        </a>
        <header class="side">
          <Link href="/" class="brand">
            <Mark />
            {texts.product}
            <LineLamp />
          </Link>
          <QuickAccess />
          <Navigation />
          <AdministrationLinks id="administration" />
          <ClientsLink />
          <AccountMenu />
        </header>
        <main id="content" tabIndex={-1}>
          <NetworkBanner />
          {children}
        </main>
        <Toast />
      </div>
    </WaitingContext.Provider>
  );
}
