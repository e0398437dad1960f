// Shows what a tool says now and what it would say, or what a new tool says, with a button that accepts it.
import { useState } from 'preact/hooks';
import type { AddedTool, Change } from '../../api/import-types.ts';
import { AccessLamp } from '../../parts/access-lamp.tsx';
import { ActionButton } from '../../parts/action-button.tsx';
import { Lamp } from '../../parts/lamp.tsx';
import { LongText } from '../../parts/long-text.tsx';
import { importsTexts } from '../../texts/imports.ts';
import { LineDiff, TextDiff } from './diff-view.tsx';
import { linesOf } from './diff.ts';

const words = importsTexts.review;

interface Accepting {
  /** Absent for a person who may not accept. */
  onAccept: (() => Promise<void>) | undefined;
}

export function ChangedTool({ change, onAccept }: { change: Change } & Accepting) {
  const { name, blocking, old, new: next } = change;
  const lines = [linesOf(old.schema), linesOf(next.schema)] as const;
  const hasNewSchema = lines[0].join('\n') !== lines[1].join('\n');
  return (
    <li class="change">
      <div class="change-head">
        <div>
          <h3>{name}</h3>
          <p class="muted change-effect">
            {blocking ? <Lamp colour="amber">{words.blocking}</Lamp> : <Lamp colour="off">{words.safe}</Lamp>}
          </p>
        </div>
        <Accept name={name} onAccept={onAccept} />
      </div>
      {old.access !== next.access && (
        <div class="change-part">
          <h4>{words.access}</h4>
          <p class="change-access">
            <AccessLamp access={old.access} />
            <span aria-hidden="true">→</span>
            <AccessLamp access={next.access} />
          </p>
        </div>
      )}
      {old.title !== next.title && (
        <div class="change-part">
          <h4>{words.titleOf}</h4>
          <TextDiff label={`${words.titleOf}: ${name}`} before={old.title ?? ''} after={next.title ?? ''} />
        </div>
      )}
      {old.description !== next.description && (
        <div class="change-part">
          <h4>{words.description}</h4>
          <TextDiff
            label={`${words.description}: ${name}`}
            before={old.description}
            after={next.description}
          />
        </div>
      )}
      {hasNewSchema && (
        <div class="change-part">
          <h4>{words.schema}</h4>
          <LineDiff label={`${words.schema}: ${name}`} before={lines[0]} after={lines[1]} />
        </div>
      )}
    </li>
  );
}

export function NewTool({ tool, onAccept }: { tool: AddedTool } & Accepting) {
  const { name, description, access, schema } = tool;
  const [isOpen, setOpen] = useState(false);
  return (
    <li class="change">
      <div class="change-head">
        <div>
          <h3>{name}</h3>
          <p class="muted change-effect">
            <span class="change-new">{words.added}</span>
            <AccessLamp access={access} />
            <span>{words.addedLead}</span>
          </p>
        </div>
        <Accept name={name} onAccept={onAccept} />
      </div>
      <LongText text={description} max={400} />
      <p>
        <button type="button" class="link-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? words.hideSchema : words.showSchema}
        </button>
      </p>
      {isOpen && (
        <pre class="json" tabIndex={0} role="region" aria-label={`${words.schema}: ${name}`}>
          <code>{linesOf(schema).join('\n')}</code>
        </pre>
      )}
    </li>
  );
}

export function GoneTool({ name, onAccept }: { name: string } & Accepting) {
  return (
    <li class="change">
      <div class="change-head">
        <div>
          <h3>{name}</h3>
          <p class="muted change-effect">
            <Lamp colour="off">{words.gone}</Lamp>
            <span>{words.goneLead}</span>
          </p>
        </div>
        <Accept name={name} isGone onAccept={onAccept} />
      </div>
    </li>
  );
}

function Accept({ name, isGone = false, onAccept }: { name: string; isGone?: boolean } & Accepting) {
  if (onAccept === undefined) return null;
  return (
    <div class="change-accept">
      <ActionButton
        label={isGone ? words.remove : words.accept}
        named={(isGone ? words.removeOf : words.acceptOf)(name)}
        onAct={onAccept}
      />
    </div>
  );
}
