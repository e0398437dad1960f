// Asks for the address and the role of a new person, and says why the gateway refuses.
import { useRef, useState } from 'preact/hooks';
import { invitePerson, type Person, type Role } from '../../api/people.ts';
import { ConnectFieldRow } from '../../connect/connect-field.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { explain, ErrorNotice } from '../../parts/error-notice.tsx';
import { peopleTexts } from '../../texts/people.ts';
import { texts } from '../../texts/texts.ts';
import { RoleChoices } from './role-choices.tsx';

const words = peopleTexts.invite;

interface Props {
  onInvited: (person: Person) => void;
  onClose: () => void;
}

export function InviteDialog({ onInvited, onClose }: Props) {
  return (
    <Dialog title={words.title} onClose={onClose}>
      {(close) => <InviteForm onInvited={onInvited} onClose={close} />}
    </Dialog>
  );
}

function InviteForm({ onInvited, onClose }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  const [missing, setMissing] = useState('');
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);

  async function invite(): Promise<void> {
    if (busy) return;
    setProblem('');
    if (!/^\S+@\S+$/.test(email.trim())) {
      setMissing(words.missing);
      form.current?.querySelector('input')?.focus();
      return;
    }
    setBusy(true);
    try {
      onInvited(await invitePerson(email.trim(), role));
      onClose();
    } catch (error) {
      setProblem(explain(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <form
      ref={form}
      class="connect-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void invite();
      }}
    >
      <p class="muted">{words.lead}</p>
      <ConnectFieldRow
        field={{
          key: 'email',
          kind: 'text',
          label: words.address,
          required: true,
          placeholder: words.addressExample,
          help: words.addressHelp,
        }}
        value={email}
        problem={missing}
        onChange={(value) => {
          setMissing('');
          setProblem('');
          setEmail(value);
        }}
      />
      <RoleChoices legend={words.role} chosen={role} onChoose={setRole} />
      {problem !== '' && <ErrorNotice message={problem} />}
      <div class="dialog-actions">
        <button type="button" class="button" onClick={onClose}>
          {texts.actions.cancel}
        </button>
        <button type="submit" class="button button-primary" aria-disabled={busy}>
          {words.submit}
        </button>
      </div>
    </form>
  );
}
