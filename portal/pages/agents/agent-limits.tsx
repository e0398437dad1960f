// Renders the dialog that changes what an application may do.
import { useState } from 'preact/hooks';
import type { Limits } from '../../api/agents.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Lamp } from '../../parts/lamp.tsx';
import { keysTexts } from '../../texts/keys.ts';
import { texts } from '../../texts/texts.ts';
import { ceilingOf } from './describe-limits.ts';
import { draftOf } from './limits-draft.ts';
import { LimitsForm } from './limits-form.tsx';

const words = texts.agents;

interface Props {
  name: string;
  limits: Limits;
  scopes: readonly string[];
  onSave: (limits: Limits) => Promise<void>;
  onClose: () => void;
}

export function AgentLimits({ name, onClose, ...rest }: Props) {
  return (
    <Dialog title={words.changeTitle(name)} onClose={onClose}>
      {(close) => <AgentLimitsForm {...rest} close={close} />}
    </Dialog>
  );
}

type FormProps = Omit<Props, 'name' | 'onClose'> & { close: () => void };

function AgentLimitsForm({ limits, scopes, onSave, close }: FormProps) {
  const [draft, setDraft] = useState(() => draftOf(limits));
  const ceiling = ceilingOf(scopes);
  return (
    <LimitsForm
      draft={draft}
      stored={limits}
      submitLabel={keysTexts.form.save}
      onChange={setDraft}
      onSubmit={async (wanted) => {
        await onSave(wanted);
        close();
      }}
      onCancel={close}
    >
      <p class="muted">{words.changeEffect}</p>
      {ceiling !== undefined && (
        <p>
          <Lamp colour="amber">{words.ceiling[ceiling]}</Lamp>
        </p>
      )}
    </LimitsForm>
  );
}
