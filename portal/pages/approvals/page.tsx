// Shows the calls that wait for the person's approval, and those that were decided.
import { Tabs } from '../../parts/tabs.tsx';
import { setQuery, useLocation } from '../../router/location.ts';
import { Page } from '../../shell/page.tsx';
import { useWaiting } from '../../state/use-approvals.ts';
import { approvalsTexts } from '../../texts/approvals.ts';
import { DecidedList } from './decided-list.tsx';
import { NotifyButton } from './notify-button.tsx';
import { useNames } from './use-names.ts';
import { WaitingList } from './waiting-list.tsx';
import '../../styles/approvals.css';

const words = approvalsTexts;
const DECIDED = 'decided';

export function ApprovalsPage() {
  const names = useNames();
  const isDecided = useLocation().query.get('show') === DECIDED;
  const count = useWaiting().data?.length ?? 0;
  return (
    <Page title={words.title} lead={words.lead} actions={<NotifyButton />}>
      <Tabs
        label={words.views}
        tabs={[
          { key: 'waiting', label: words.waiting(count) },
          { key: DECIDED, label: words.decided },
        ]}
        chosen={isDecided ? DECIDED : 'waiting'}
        onChoose={(key) => setQuery({ show: key === DECIDED ? key : '', state: '' })}
      >
        {isDecided ? <DecidedList names={names} /> : <WaitingList names={names} />}
      </Tabs>
    </Page>
  );
}
