// Shows administrators the state of the whole gateway: a tile for each part, with a lamp, and what to do next.
import type { ComponentChildren } from 'preact';
import { fetchGateway, type GatewayState, type Instrument } from '../../api/gateway.ts';
import { fetchUsage } from '../../api/usage.ts';
import { Lamp, type LampColour } from '../../parts/lamp.tsx';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Link } from '../../router/link.tsx';
import { useResource } from '../../state/use-resource.ts';
import { gatewayTexts as words } from '../../texts/gateway.ts';
import { duration } from '../../parts/amounts.ts';
import '../../styles/instruments.css';

const COLOURS: Record<Instrument['state'], LampColour> = {
  good: 'green',
  bad: 'red',
  unchecked: 'off',
  off: 'off',
};

export function Instruments() {
  const state = useResource('gateway', fetchGateway);
  return (
    <section aria-labelledby="state">
      <h2 id="state" class="visually-hidden">
        {words.state}
      </h2>
      <NotLoaded of={[state]} />
      {state.data === undefined && state.error === undefined && <Skeleton rows={3} />}
      {state.data && <Tiles state={state.data} />}
    </section>
  );
}

function Tiles({ state: { instruments, startedAt, version } }: { state: GatewayState }) {
  return (
    <>
      <p class="muted">
        {words.version(version)} · {words.running} <RelativeTime at={startedAt} />
      </p>
      <ul class="instruments">
        {instruments.map((instrument) => (
          <Tile key={instrument.name} instrument={withAddress(instrument)} />
        ))}
        <CallsTile />
      </ul>
    </>
  );
}

/** Only the browser of a person can tell whether the address is reached from outside. */
function withAddress(instrument: Instrument): Instrument {
  const { kind, name, state } = instrument;
  if (name !== 'address' || state !== 'unchecked' || kind === undefined) return instrument;
  return new URL(kind).origin === location.origin ? { ...instrument, state: 'good' } : instrument;
}

function Tile({ instrument }: { instrument: Instrument }) {
  const { at, cure, kind, name, state } = instrument;
  return (
    <li class={`instrument instrument-${state}`}>
      <span class="instrument-head">
        <h3>{words.instruments[name]}</h3>
        <Lamp colour={COLOURS[state]}>
          {name === 'backup' && state === 'off' ? words.noBackup : words.states[state]}
        </Lamp>
      </span>
      {kind !== undefined && <span class="instrument-kind">{kindOf(kind)}</span>}
      <About>{aboutOf(instrument)}</About>
      {at !== undefined && (
        <span class="muted">
          {TIMES[name] ?? words.lastPush} <RelativeTime at={at} />
        </span>
      )}
      {cure !== undefined && <span class="instrument-cure">{cure}</span>}
    </li>
  );
}

function About({ children }: { children: ComponentChildren }) {
  return children === null ? null : <span class="muted">{children}</span>;
}

const TIMES: Partial<Record<Instrument['name'], string>> = {
  sealing: words.lastSeal,
  backup: words.lastBackup,
};
const KINDS: Readonly<Record<string, string>> = words.kinds;
const kindOf = (kind: string): string =>
  kind
    .split(', ')
    .map((each) => KINDS[each] ?? each)
    .join(', ');

function aboutOf({ name, problem, state }: Instrument): string | null {
  if (problem !== undefined) return problem;
  if (name === 'address') return state === 'good' ? words.reached : words.elsewhere(location.origin);
  if (name === 'browser' && state !== 'good')
    return state === 'off' ? words.noBrowser : words.browserUntested;
  if (name === 'disk') return words.fullDisk;
  if (name === 'backup')
    return state === 'good' ? words.backupWhole : state === 'unchecked' ? words.backupElsewhere : null;
  if (name === 'sealing' && state === 'unchecked') return words.notSealed;
  if (name === 'encryptionKey' && state !== 'unchecked')
    return state === 'good' ? words.keyOpens : words.wrongKey;
  return state === 'bad' ? words.noAnswer : null;
}

function CallsTile() {
  const { data } = useResource('usage of everybody in 24h', () => fetchUsage('24h', 'everybody'));
  if (data === undefined) return null;
  const { latency, totals } = data;
  const calls = totals.ok + totals.failed + totals.refused;
  return (
    <li class="instrument">
      <span class="instrument-head">
        <h3>
          <Link href="/?of=everybody">{words.calls}</Link>
        </h3>
      </span>
      <span class="instrument-kind">{calls === 0 ? words.noCalls : words.callsLead(calls)}</span>
      {latency !== null && (
        <span class="muted">{words.callsFigures(totals.failed, duration(latency.p95))}</span>
      )}
    </li>
  );
}
