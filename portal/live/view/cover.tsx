// Covers the stage while there is no picture: says why, and what the person can do.
import type { ComponentChildren } from 'preact';
import { explain } from '../../parts/error-notice.tsx';
import { texts } from '../../texts/texts.ts';
import type { Phase } from '../remote/state.ts';

const words = texts.live.phases;

interface Props {
  phase: Phase;
  onRestart: () => void;
  /** Another way to connect, for a gateway without a browser. */
  instead: ComponentChildren;
  /** A link to the page where the person can correct a refusal. */
  back: ComponentChildren;
}

export function Cover({ phase, onRestart, instead, back }: Props) {
  switch (phase.name) {
    case 'live':
      return null;
    case 'connecting':
    case 'starting':
    case 'busy':
    case 'reconnecting':
      return <Words {...words[phase.name]} isWaiting isThin={phase.name === 'reconnecting'} />;
    case 'taken-over':
      return <Words {...words.takenOver} onAct={onRestart} />;
    case 'ended':
      return <Words {...words.ended} onAct={onRestart} />;
    case 'failed': {
      const { error } = phase;
      const isBrowser = error.status === 503;
      return (
        <Words
          title={isBrowser ? words.failed.title : words.refused.title}
          lead={isBrowser ? words.failed.lead : ''}
          action={words.failed.action}
          onAct={onRestart}
          detail={explain(error)}
        >
          {isBrowser ? instead : back}
        </Words>
      );
    }
  }
}

interface WordsProps {
  title: string;
  lead: string;
  detail?: string;
  action?: string;
  onAct?: () => void;
  isWaiting?: boolean;
  /** Lets the last picture show through. */
  isThin?: boolean;
  children?: ComponentChildren;
}

function Words(props: WordsProps) {
  const { title, lead, detail = '', action, onAct, isWaiting = false, isThin = false, children } = props;
  return (
    <div class={isThin ? 'live-cover live-cover-thin' : 'live-cover'} role="status">
      {isWaiting && <span class="live-jacks" aria-hidden="true" />}
      <h2>{title}</h2>
      {lead !== '' && <p class="muted">{lead}</p>}
      {detail !== '' && <p class="live-detail">{detail}</p>}
      {onAct !== undefined && (
        <div class="row">
          <button type="button" class="button button-primary" onClick={onAct}>
            {action}
          </button>
          {children}
        </div>
      )}
    </div>
  );
}
