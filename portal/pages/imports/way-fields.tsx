// Lets the person choose how an import is connected. What few people change lies under "Advanced".
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ImportKind, ShownAuth } from '../../api/imports.ts';
import { ConnectFieldRow } from '../../connect/connect-field.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { importsTexts } from '../../texts/imports.ts';
import { PairRows } from './pair-rows.tsx';
import { needsClient, typesOf, type WayDraft } from './way.ts';

const words = importsTexts.way;

interface Props {
  /** The name of the import, which its redirect address contains. */
  name: string;
  displayName: string;
  kind: ImportKind;
  auth: ShownAuth;
  others?: readonly ShownAuth[];
  draft: WayDraft;
  problem: string;
  /** Set for an import that exists: its secret is stored, and never shown. */
  isStored?: boolean;
  onChange: (draft: WayDraft) => void;
}

export function WayFields(props: Props) {
  const { auth, others = [], draft, problem, onChange } = props;
  const isFound = (type: string) => [auth, ...others].some((each) => each.type === type);
  return (
    <fieldset class="import-way">
      <legend class="import-legend">{words.title}</legend>
      <div class="choices import-choices">
        {typesOf(auth, others).map((type) => (
          <label key={type} class="choice">
            <input
              type="radio"
              name="way"
              checked={draft.type === type}
              onChange={() => onChange({ ...draft, type })}
            />
            <span class="choice-name">
              {words.kinds[type].name}
              {isFound(type) && <span class="import-found">{words.found}</span>}
            </span>
            <span class="choice-about">{words.kinds[type].about}</span>
          </label>
        ))}
      </div>
      <Details {...props} />
      <p class="connect-problem" role="alert">
        {draft.type === 'oauth2' ? '' : problem}
      </p>
    </fieldset>
  );
}

function Details(props: Props) {
  const { draft, onChange, problem } = props;
  switch (draft.type) {
    case 'headers':
      return (
        <Secrets
          sentAs={draft.headers.map(({ name, value }) => `${name}: ${value}`)}
          lead={words.headerLead}
          kind={words.header}
          add={words.addHeader}
          pairs={draft.headers}
          isOpen={problem !== ''}
          onChange={(headers) => onChange({ ...draft, headers })}
        />
      );
    case 'query':
      return (
        <Secrets
          sentAs={draft.parameters.map(({ name, value }) => `?${name}=${value}`)}
          lead={words.queryLead}
          kind={words.parameter}
          add={words.addParameter}
          pairs={draft.parameters}
          isOpen={problem !== ''}
          onChange={(parameters) => onChange({ ...draft, parameters })}
        />
      );
    case 'oauth2':
      return <ClientFields {...props} />;
    case 'client':
      return (
        <p class="muted">
          {words.tokensFrom} <code>{draft.client.tokenUrl}</code>
        </p>
      );
    case 'basic':
    case 'all':
    case 'values':
    case 'none':
      return null;
  }
}

interface SecretsProps {
  sentAs: readonly string[];
  lead: string;
  kind: string;
  add: string;
  pairs: WayDraft['headers'];
  isOpen: boolean;
  onChange: (pairs: WayDraft['headers']) => void;
}

function Secrets({ sentAs, lead, isOpen, ...rows }: SecretsProps) {
  return (
    <Advanced isOpen={isOpen} lead={sentAs.join('\n')}>
      <p class="muted">{lead}</p>
      <PairRows {...rows} />
    </Advanced>
  );
}

function ClientFields({
  name,
  displayName,
  kind,
  auth,
  others = [],
  draft,
  isStored = false,
  problem,
  onChange,
}: Props) {
  const isMissing = needsClient(kind, [auth, ...others]);
  const fields = (
    <>
      <p class="muted">{isMissing ? words.clientMissing(displayName) : words.clientLead}</p>
      <div class="import-redirect">
        <p>{words.redirect}</p>
        <CodeBlock code={redirectAddress(name)} label={words.redirect} />
      </div>
      <ConnectFieldRow
        field={{ key: 'clientId', kind: 'text', label: words.clientId, required: isMissing }}
        value={draft.clientId}
        problem={problem}
        onChange={(clientId) => onChange({ ...draft, clientId })}
      />
      <ConnectFieldRow
        field={{
          key: 'clientSecret',
          kind: 'secret',
          label: words.clientSecret,
          required: false,
          help: isStored ? words.clientSecretKept : words.clientSecretHelp,
        }}
        value={draft.clientSecret}
        problem=""
        onChange={(clientSecret) => onChange({ ...draft, clientSecret })}
      />
      <ConnectFieldRow
        field={{ key: 'scopes', kind: 'text', label: words.scopes, required: false, help: words.scopesHelp }}
        value={draft.scopes}
        problem=""
        onChange={(scopes) => onChange({ ...draft, scopes })}
      />
    </>
  );
  if (isMissing) return <div class="import-advanced-body">{fields}</div>;
  return (
    <Advanced isOpen={problem !== ''} lead="">
      {fields}
    </Advanced>
  );
}

function redirectAddress(name: string): string {
  return `${location.origin}/api/auth/plugin/${encodeURIComponent(name)}/callback`;
}

function Advanced({
  lead,
  isOpen,
  children,
}: {
  lead: string;
  isOpen: boolean;
  children: ComponentChildren;
}) {
  const [opened, setOpened] = useState(false);
  return (
    <div class="import-advanced">
      <details open={opened || isOpen} onToggle={({ currentTarget }) => setOpened(currentTarget.open)}>
        <summary>{words.advanced}</summary>
        <div class="import-advanced-body">{children}</div>
      </details>
      {lead !== '' && (
        <p class="muted">
          {words.sentAs} <code>{lead}</code>
        </p>
      )}
    </div>
  );
}
