// Asks for the address and the role of a new person, and says why the gateway refuses.
import { useRef, useState } from 'preact/hooks';
import { invitePerson, type Person, type Role } from '../../api/people.ts';
import { ConnectFieldRow } from '../../connect/connect-field.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import { useWork } from '../../parts/use-work.ts';
import { peopleTexts } from '../../texts/people.ts';
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
  const { busy, problem, setProblem, run } = useWork();

  function invite(): void {
    setProblem();
    if (!/^\S+@\S+$/.test(email.trim())) {
      setMissing(words.missing);
      form.current?.querySelector('input')?.focus();
      return;
    }
    void run(async () => {
      onInvited(await invitePerson(email.trim(), role));
      onClose();
    });
  }

  return (
    <Form
      element={form}
      class="connect-form"
      busy={busy}
      problem={problem}
      submitLabel={words.submit}
      onSubmit={invite}
      onCancel={onClose}
    >
      <p class="muted">{words.lead}</p>
      <ConnectFieldRow
        field={{
          key: 'email',
          kind: 'text',
          label: words.address,
          required: true,
          placeholder: words.addressExample,
        }}
        value={email}
        problem={missing}
        onChange={(value) => {
          setMissing('');
          setProblem();
          setEmail(value);
        }}
      />
      <RoleChoices legend={words.role} chosen={role} onChoose={setRole} />
    </Form>
  );
}
