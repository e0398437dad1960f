// Renders a form with limits: checks them, sends them, and keeps what was typed after a refusal.
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Limits } from '../../api/agents.ts';
import { explain, ErrorNotice } from '../../parts/error-notice.tsx';
import { texts } from '../../texts/texts.ts';
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
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);

  async function submit(): Promise<void> {
    if (busy) return;
    const now = Math.floor(Date.now() / 1000);
    const found = findProblems(draft, now);
    setProblem('');
    setProblems(found);
    const [wrong] = Object.keys({ ...check(), ...found });
    if (wrong !== undefined) return form.current?.querySelector<HTMLElement>(`[name="${wrong}"]`)?.focus();
    setBusy(true);
    try {
      await onSubmit(limitsOf(draft, stored, now));
    } catch (error) {
      setProblem(explain(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <form
      ref={form}
      class="connect-form limits-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
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
      {problem !== '' && <ErrorNotice message={problem} />}
      <div class="dialog-actions">
        <button type="button" class="button" onClick={onCancel}>
          {texts.actions.cancel}
        </button>
        <button type="submit" class="button button-primary" aria-disabled={busy}>
          {submitLabel}
        </button>
      </div>
    </form>
  );
}
