// Lists the facts of a call: who, where, when, how long, and what the provider answered.
import type { ComponentChildren } from 'preact';
import type { Call } from '../../api/calls.ts';
import { AccessLamp } from '../../parts/access-lamp.tsx';
import { duration } from '../../parts/amounts.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { addressOfPerson, namePerson } from '../../parts/person-of-call.ts';
import { plainName } from '../../parts/plain-name.ts';
import { Link } from '../../router/link.tsx';
import { callTexts as words } from '../../texts/call.ts';

const absolute = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'long' });

/** `of` is the integration's display name. */
export function CallFacts({ call, of }: { call: Call; of: string }) {
  const { access, account, approval, created_at, duration_ms, integration, owner, request_id, status } = call;
  const where = owner === 'team' ? words.teamAccount : account;
  return (
    <dl class="one-call-facts">
      {call.user !== undefined && (
        <Fact name={words.of}>
          {call.user.email === null ? (
            words.somebodyGone
          ) : (
            <Link href={addressOfPerson(call.user.id, call.user.email)}>{namePerson(call.user.email)}</Link>
          )}
        </Fact>
      )}
      <Fact name={words.caller}>
        <bdi>{nameCaller(call)}</bdi>
      </Fact>
      <Fact name={words.integration}>
        <Link href={`/integrations/${encodeURIComponent(integration)}`}>{of}</Link>
      </Fact>
      {where !== undefined && (
        <Fact name={words.account}>
          <bdi>{where}</bdi>
        </Fact>
      )}
      <Fact name={words.at}>{absolute.format(new Date(created_at * 1000))}</Fact>
      <Fact name={words.took}>{duration(duration_ms)}</Fact>
      {access !== null && (
        <Fact name={words.access}>
          <AccessLamp access={access} />
        </Fact>
      )}
      {status !== null && <Fact name={words.status}>{words.http(status)}</Fact>}
      {request_id !== null && (
        <Fact name={words.request}>
          <code>{request_id}</code> <CopyButton text={() => request_id} of={words.copyRequest} />
        </Fact>
      )}
      {approval !== null && call.user === undefined && call.outcome !== 'asked' && (
        <Fact name={words.approval}>
          <Link href={`/approvals/${encodeURIComponent(approval)}`}>{words.openApproval}</Link>
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function nameCaller({ actor, client_name }: Call): string {
  const { callers } = words;
  const name = plainName(client_name ?? '');
  if (actor === 'session') return callers.session;
  if (actor === 'key') return callers.key;
  if (actor?.startsWith('key:') === true) return name === '' ? callers.unnamedKey : callers.namedKey(name);
  if (actor?.startsWith('client:') === true) return name === '' ? callers.unnamedClient : name;
  return callers.unknown;
}
