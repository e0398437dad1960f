// Lists saved scripts, the runs of the last day, and what is offered to the team.
import { fetchRuns, fetchScripts, reviewScript, type ShownReview } from '../../api/scripts.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Lamp } from '../../parts/lamp.tsx';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { Row } from '../../parts/row.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Link } from '../../router/link.tsx';
import { Back } from '../../shell/back.tsx';
import { Page } from '../../shell/page.tsx';
import { LIVE_MS, usePollOf } from '../../state/use-poll.ts';
import { useResource } from '../../state/use-resource.ts';
import { scriptsTexts } from '../../texts/scripts.ts';
import { texts } from '../../texts/texts.ts';
import { addressOfRun, addressOfScript } from './address.ts';
import { MarkedCode } from './marked-code.tsx';
import { RunLamp } from './run-lamp.tsx';
import '../../styles/keys.css';
import '../../styles/scripts.css';

const words = scriptsTexts;

export function ScriptsPage() {
  const scripts = useResource('scripts', fetchScripts);
  const runs = useResource('script runs', fetchRuns);
  usePollOf(scripts);
  usePollOf(runs, LIVE_MS);
  const { reviews = [], scripts: saved } = scripts.data ?? {};
  const isEmpty = saved?.length === 0 && reviews.length === 0 && runs.data?.length === 0;
  return (
    <Page title={words.title} lead={words.lead} before={<Back href="/agents" label={texts.agents.title} />}>
      <NotLoaded of={[scripts, runs]} />
      {reviews.length > 0 && <Reviews reviews={reviews} onDecided={scripts.reload} />}
      {isEmpty && (
        <Empty icon="run" title={words.noneTitle} lead={words.noneLead}>
          <Link href="/clients" class="button">
            {texts.clients.title}
          </Link>
        </Empty>
      )}
      <section class="section" aria-labelledby="saved-scripts" hidden={isEmpty}>
        <h2 id="saved-scripts" class="section-title">
          {words.saved}
        </h2>
        {saved === undefined && scripts.error === undefined && <Skeleton rows={2} />}
        {saved?.length === 0 && <p class="muted">{words.noneSaved}</p>}
        {saved !== undefined && saved.length > 0 && (
          <ul class="rows" aria-labelledby="saved-scripts">
            {saved.map((script) => (
              <Row
                key={`${script.for} ${script.name}`}
                name={<Link href={addressOfScript(script)}>{script.name}</Link>}
                heading="h3"
                id={script.tool}
                facts={
                  <>
                    <span>{words.version(script.version)}</span>
                    {script.for === 'everyone' ? (
                      <Lamp colour="off">{words.ofTeam}</Lamp>
                    ) : (
                      script.shared !== null && (
                        <Lamp colour={script.shared === 'pending' ? 'amber' : 'green'}>
                          {words.shared[script.shared]}
                        </Lamp>
                      )
                    )}
                    <span>
                      {words.saw} <RelativeTime at={script.createdAt} />
                    </span>
                  </>
                }
              >
                {script.description !== '' && <p class="muted">{script.description}</p>}
              </Row>
            ))}
          </ul>
        )}
      </section>
      <section class="section" aria-labelledby="script-runs" hidden={isEmpty}>
        <h2 id="script-runs" class="section-title">
          {words.runs}
        </h2>
        {runs.data === undefined && runs.error === undefined && <Skeleton rows={3} />}
        {runs.data?.length === 0 && <p class="muted">{words.noRuns}</p>}
        {runs.data !== undefined && runs.data.length > 0 && (
          <ul class="rows" aria-labelledby="script-runs">
            {runs.data.map(({ id, script, version, state, calls, createdAt }) => (
              <Row
                key={id}
                name={<Link href={addressOfRun(id)}>{script ?? words.sent}</Link>}
                heading="h3"
                facts={
                  <>
                    <RunLamp state={state} />
                    {version !== null && <span>{words.version(version)}</span>}
                    <span>{words.calls(calls)}</span>
                    <RelativeTime at={createdAt} />
                  </>
                }
              />
            ))}
          </ul>
        )}
      </section>
    </Page>
  );
}

function Reviews({ reviews, onDecided }: { reviews: ShownReview[]; onDecided: () => void }) {
  return (
    <section class="section" aria-labelledby="script-reviews">
      <h2 id="script-reviews" class="section-title">
        {words.reviews.title}
      </h2>
      <p class="muted">{words.reviews.lead}</p>
      {reviews.map(({ id, name, version, description, code, author }) => (
        <article key={id} class="panel script-review">
          <h3>{name}</h3>
          <p class="muted">
            {words.version(version)}
            {author !== null && ` · ${words.reviews.by(author)}`}
          </p>
          {description !== '' && <p>{description}</p>}
          <MarkedCode code={code} label={words.reviews.code(name)} />
          <div class="row">
            {([true, false] as const).map((accept) => (
              <ActionButton
                key={String(accept)}
                primary={accept}
                label={accept ? words.reviews.accept : words.reviews.refuse}
                named={accept ? words.reviews.acceptOf(name) : words.reviews.refuseOf(name)}
                onAct={async () => {
                  await reviewScript(id, accept);
                  onDecided();
                }}
              />
            ))}
          </div>
        </article>
      ))}
    </section>
  );
}
