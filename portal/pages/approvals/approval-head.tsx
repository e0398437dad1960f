// Says in one sentence what a call would do, and who asked for it.
import type { ComponentChildren } from 'preact';
import type { Approval } from '../../api/approvals.ts';
import { callerName } from '../../parts/caller-name.ts';
import { Logo } from '../../parts/logo.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { VisibleText } from '../../parts/visible-text.tsx';
import { Link } from '../../router/link.tsx';
import { approvalsTexts } from '../../texts/approvals.ts';
import { sentenceOf } from './describe.ts';
import { Until } from './until.tsx';
import type { Names } from './use-names.ts';

const words = approvalsTexts;

interface Props {
  approval: Approval;
  names: Names;
  /** Absent on the page of the approval itself. */
  href?: string;
  children?: ComponentChildren;
}

export function ApprovalHead({ approval, names, href, children }: Props) {
  const { access, caller, account, state, createdAt, expiresAt, integration } = approval;
  const { act, what, where } = sentenceOf(approval, names.nameOf(integration));
  const sentence = (
    <>
      <span class={`approval-act approval-${access}`}>{act}</span>{' '}
      {what !== '' && (
        <strong class="approval-subject">
          <bdi>
            <VisibleText text={what} />
          </bdi>
        </strong>
      )}{' '}
      {where}
    </>
  );
  return (
    <div class="approval-head">
      <Logo src={names.logoOf(integration)} name={names.nameOf(integration)} />
      <div class="approval-words">
        <h2>{href === undefined ? sentence : <Link href={href}>{sentence}</Link>}</h2>
        <p class="approval-who">
          <span>
            <bdi class="approval-caller">{callerName(caller)}</bdi> {words.asked}{' '}
            <RelativeTime at={createdAt} />
          </span>
          {account !== null && (
            <span class="approval-account">
              <VisibleText text={words.account(account)} />
            </span>
          )}
          {state === 'pending' && (
            <span>
              {words.until} <Until at={expiresAt} />
            </span>
          )}
        </p>
        {children}
      </div>
    </div>
  );
}
