// Leads a person who has called nothing yet through the first steps. Without them, says what the overview will show.
import { fetchIntegrations } from '../../api/integrations.ts';
import { withState } from '../../connect/state.ts';
import { useConnecting } from '../../connect/use-connecting.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Link } from '../../router/link.tsx';
import { useConnections } from '../../state/use-connections.ts';
import { useResource } from '../../state/use-resource.ts';
import { overviewTexts as words } from '../../texts/overview.ts';
import { useFirstSteps } from '../integrations/use-first-steps.ts';

interface Props {
  /** False once something was called during this visit. */
  isNew: boolean;
  /** The steps are the person's own, and not those of everybody. */
  isOwn: boolean;
}

export function NothingYet({ isNew, isOwn }: Props) {
  const { Panel: FirstSteps, ...steps } = useFirstSteps();
  const integrations = useResource('integrations', fetchIntegrations);
  const connections = useConnections();
  const { dialog, connect } = useConnecting(connections.reload);

  if (!steps.hidden && isOwn) {
    if (!steps.isKnown || integrations.data === undefined || connections.data === undefined)
      return isNew ? <Skeleton rows={5} /> : null;
    if (FirstSteps !== undefined) {
      return (
        <>
          <FirstSteps
            all={withState(integrations.data, connections.data)}
            steps={steps}
            isAboveGallery={false}
            onConnect={connect}
          />
          {dialog}
        </>
      );
    }
  }
  if (!isNew) return null;
  return (
    <Empty icon="overview" title={words.emptyTitle} lead={words.emptyLead}>
      <Link href="/clients" class="button button-primary">
        {words.emptyClient}
      </Link>
      <Link href="/integrations" class="button">
        {words.emptyConnect}
      </Link>
    </Empty>
  );
}
