// Shows one call at its own address.
import { fetchCall } from '../../api/calls.ts';
import { Empty } from '../../parts/empty.tsx';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import type { PageProps } from '../../router/match.ts';
import { useSession } from '../../session/session.ts';
import { Back } from '../../shell/back.tsx';
import { Page } from '../../shell/page.tsx';
import { useResource } from '../../state/use-resource.ts';
import { callTexts as words } from '../../texts/call.ts';
import { OneCall } from './one-call.tsx';
import '../../styles/call.css';

export function CallPage({ params }: PageProps) {
  const id = params['id'] ?? '';
  const { me } = useSession();
  const call = useResource(`call ${id}`, () => fetchCall(id));
  const { data, error } = call;
  const isMissing = error?.status === 404;

  return (
    <Page
      title={isMissing ? words.missingTitle : (data?.tool ?? words.title)}
      before={<Back href="/activity" label={words.back} />}
    >
      {isMissing ? (
        <Empty icon="activity" title={words.missingLead(me.email)} lead={words.missingHelp} />
      ) : (
        <>
          <NotLoaded of={[call]} />
          {data === undefined && error === undefined && <Skeleton rows={5} />}
          {data !== undefined && <OneCall call={data} />}
        </>
      )}
    </Page>
  );
}
