// Shows the signed-in person's own settings: profile, theme, key, notifications, limits and data.
import { deleteMyself, exportMyself } from '../../api/people.ts';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { Notices } from '../../parts/notices.tsx';
import { useSession } from '../../session/session.ts';
import { Page } from '../../shell/page.tsx';
import { ThemeSwitch } from '../../shell/theme-switch.tsx';
import { useHasKey } from '../../state/use-has-key.ts';
import { useMyself } from '../../state/use-myself.ts';
import { peopleTexts } from '../../texts/people.ts';
import { texts } from '../../texts/texts.ts';
import { ApiKeyPanel } from '../clients/api-key-panel.tsx';
import { DataPanel } from '../people/data-panel.tsx';
import { LimitBars } from '../people/limit-bars.tsx';
import { DetailsPanel } from './details-panel.tsx';
import { NoticesPanel } from './notices-panel.tsx';
import { NotificationsPanel } from './notifications-panel.tsx';
import { ProfilePanel } from './profile-panel.tsx';
import '../../styles/people.css';

const words = peopleTexts.settings;

export function SettingsPage() {
  const { me, signOut } = useSession();
  const myself = useMyself();
  const hasKey = useHasKey();
  const { data } = myself;
  return (
    <Page title={texts.nav.settings} lead={words.lead}>
      <NotLoaded of={[myself, hasKey]} />
      <Notices notices={data?.notices ?? []} />
      <ProfilePanel email={me.email} myself={data} isLoading={myself.error === undefined} />
      <section class="panel panel-line" aria-labelledby="theme">
        <div>
          <h2 id="theme">{texts.theme.label}</h2>
          <p class="muted">{words.themeLead}</p>
        </div>
        <ThemeSwitch />
      </section>
      <ApiKeyPanel hasKey={hasKey.data} isLoading={hasKey.error === undefined} onChange={hasKey.set} />
      <NotificationsPanel />
      <NoticesPanel />
      {data && (
        <section class="panel" aria-labelledby="limits">
          <h2 id="limits">{words.limitsTitle}</h2>
          <p class="muted">{words.limitsLead}</p>
          <LimitBars limits={data.limits} />
        </section>
      )}
      {data && <DetailsPanel chosen={data.callDetails} onChange={myself.set} />}
      <DataPanel
        email={me.email}
        title={words.dataTitle}
        lead={words.dataLead}
        isOwn
        canDelete
        onExport={exportMyself}
        onDelete={async () => {
          await deleteMyself(me.email);
          signOut();
        }}
      />
    </Page>
  );
}
