// Renders the live view, full screen: header, address bar, tabs, stage and footer.
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Attached } from '../../api/live.ts';
import { Lamp, type LampColour } from '../../parts/lamp.tsx';
import { texts } from '../../texts/texts.ts';
import '../../styles/live.css';
import '../../styles/live-stage.css';
import { hasLeftLogIn } from '../remote/signed-in.ts';
import type { LiveState, Phase } from '../remote/state.ts';
import { activeTab } from '../remote/tabs.ts';
import { createViewer, type Viewer } from '../remote/viewer.ts';
import { Cover } from './cover.tsx';
import { Finish } from './finish.tsx';
import { Note } from './note.tsx';
import { PasteDialog } from './paste-dialog.tsx';
import { Stage } from './stage.tsx';
import { TabStrip } from './tab-strip.tsx';
import { Toolbar } from './toolbar.tsx';
import { useViewer } from './use-viewer.ts';

const words = texts.live;

interface Props {
  title: string;
  logo?: ComponentChildren;
  base: string;
  /** The label of the account that the browser is for. Absent without one. */
  account?: string;
  /** Sends the browser to the login page and returns its address, or an empty string without a login. */
  begin: (attached: Attached) => Promise<string>;
  /** What the "I'm signed in" button does. Null without a login. */
  finish: { name: string; act: (attached: Attached) => Promise<void> } | null;
  leaveLabel: string;
  onLeave: (attached: Attached | null) => void;
  /** Shown when the gateway has no browser. */
  instead?: ComponentChildren;
  /** Shown when the gateway refuses to open the browser. */
  back?: ComponentChildren;
}

export function LiveView(props: Props) {
  const live = useViewer(() =>
    createViewer({ base: props.base, account: props.account ?? '', begin: props.begin }),
  );
  useLayoutEffect(() => {
    document.title = `${props.title} · ${texts.product}`;
  }, [props.title]);
  return live === null ? null : <Frame {...props} {...live} />;
}

function Frame(props: Props & { viewer: Viewer; state: LiveState }) {
  const { title, logo, finish, leaveLabel, onLeave, instead, back, viewer, state } = props;
  const { phase, tabs, loading, logIn, notice } = state;
  const leaveButton = useRef<HTMLButtonElement>(null);
  const [turn, setTurn] = useState(0);
  const [keyboard, setKeyboard] = useState(false);
  const [pasting, setPasting] = useState(false);
  const isLive = phase.name === 'live';
  const lamp = lampOf(phase);
  const main = tabs.all.find(({ openerId }) => openerId === null);

  // People can type without a click, unless another element has the focus.
  useEffect(() => {
    if (isLive && document.activeElement === document.body) setTurn(1);
  }, [isLive]);

  // Buttons for phones: above the site on a wide screen, below the site on a phone.
  const touchButtons = (className: string) => (
    <span class={className}>
      <button
        type="button"
        class="button live-touch"
        onClick={() => {
          setKeyboard(true);
          setTurn((count) => count + 1);
        }}
      >
        {words.keyboard}
      </button>
      <button type="button" class="button" onClick={() => setPasting(true)}>
        {words.paste}
      </button>
    </span>
  );

  return (
    <main class="live">
      <header class="live-head">
        {logo}
        <div class="live-words">
          <h1>{title}</h1>
          <p>{words.honest}</p>
        </div>
        <button
          ref={leaveButton}
          type="button"
          class="button live-cancel"
          onClick={() => onLeave(viewer.attached())}
        >
          {leaveLabel}
        </button>
      </header>
      <Toolbar viewer={viewer} address={activeTab(tabs)?.url ?? ''} loading={loading}>
        {touchButtons('live-hands')}
      </Toolbar>
      <TabStrip tabs={tabs} viewer={viewer} />
      <div class="live-stage">
        <Stage
          viewer={viewer}
          state={state}
          turn={turn}
          keyboard={keyboard}
          onLeave={() => leaveButton.current?.focus()}
        />
        <Cover phase={phase} onRestart={viewer.restart} instead={instead} back={back} />
        <Note notice={notice} onClose={viewer.dismiss} />
      </div>
      <footer class="live-foot">
        <Lamp colour={lamp.colour}>{lamp.word}</Lamp>
        <p class="live-hint">
          <span class="live-hint-honest">{words.honest} </span>
          <span class="live-hint-keys">{words.hintKeys} </span>
          {words.hint}
        </p>
        {touchButtons('live-hands live-hands-phone')}
        {finish !== null && (
          <Finish
            name={finish.name}
            isLit={isLive && main !== undefined && hasLeftLogIn(logIn, main.url)}
            isReady={isLive}
            onFinish={async () => {
              const attached = viewer.attached();
              if (attached !== null) await finish.act(attached);
            }}
          />
        )}
      </footer>
      {pasting && (
        <PasteDialog
          onPaste={viewer.paste}
          onClose={() => {
            setPasting(false);
            setTurn((count) => count + 1);
          }}
        />
      )}
    </main>
  );
}

function lampOf({ name }: Phase): { colour: LampColour; word: string } {
  switch (name) {
    case 'live':
      return { colour: 'green', word: words.lamp.live };
    case 'connecting':
    case 'starting':
    case 'busy':
    case 'reconnecting':
      return { colour: 'amber', word: words.lamp.waiting };
    case 'taken-over':
    case 'ended':
    case 'failed':
      return { colour: 'off', word: words.lamp.off };
  }
}
