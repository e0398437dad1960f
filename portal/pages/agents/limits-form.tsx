// Renders a form with limits: checks them, sends them, and keeps what was typed after a refusal.
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Limits } from '../../api/agents.ts';
import { focusField } from '../../parts/focus-field.ts';
import { Form } from '../../parts/form.tsx';
import { useWork } from '../../parts/use-work.ts';
import { findProblems, type LimitsDraft, limitsOf, type Problems } from './limits-draft.ts';
import { LimitsFields } from './limits-fields.tsx';

interface Props {
  draft: LimitsDraft;
  stored?: Limits;
  submitLabel: string;
  onChange: (draft: LimitsDraft) => void;
  /** Returns what is wrong with the other fields, by the name of the field. */
  check?: () => Record<string, string>;
  onSubmit: (limits: Limits) => Promise<void>;
  onCancel: () => void;
  /** The fields before the limits. */
  children?: ComponentChildren;
}

export function LimitsForm({
  draft,
  stored = {},
  submitLabel,
  onChange,
  check = () => ({}),
  onSubmit,
  onCancel,
  children,
}: Props) {
  const form = useRef<HTMLFormElement>(null);
  const [problems, setProblems] = useState<Problems>({});
  const { busy, problem, setProblem, run } = useWork();

  function submit(): void {
    const now = Math.floor(Date.now() / 1000);
    const found = findProblems(draft, now);
    setProblem();
    setProblems(found);
    const [wrong] = Object.keys({ ...check(), ...found });
    if (wrong !== undefined) return focusField(form.current, wrong);
    void run(() => onSubmit(limitsOf(draft, stored, now)));
  }

  return (
    <Form
      element={form}
      class="connect-form limits-form"
      busy={busy}
      problem={problem}
      submitLabel={submitLabel}
      onSubmit={submit}
      onCancel={onCancel}
    >
      {children}
      <LimitsFields
        draft={draft}
        stored={stored}
        problems={problems}
        onChange={(change) => {
          setProblems({});
          onChange({ ...draft, ...change });
        }}
      />
    </Form>
  );
}
