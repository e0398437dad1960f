// Shows what a tool says now and what it would say, or what a new tool says, with a button that accepts it.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { AddedTool, Change } from '../../api/import-changes.ts';
import { AccessLamp } from '../../parts/access-lamp.tsx';
import { ActionButton } from '../../parts/action-button.tsx';
import { Lamp } from '../../parts/lamp.tsx';
import { LongText } from '../../parts/long-text.tsx';
import { importsTexts } from '../../texts/imports.ts';
import '../../styles/arguments.css';
import { AppNote, sentencesOf } from './app-note.tsx';
import { LineDiff, TextDiff } from './diff-view.tsx';
import { linesOf } from './diff.ts';

const words = { ...importsTexts.review, app: importsTexts.apps.title };
const appWords = importsTexts.apps;

interface Accepting {
  /** Absent for a person who may not accept. */
  onAccept: (() => Promise<void>) | undefined;
}

export function ChangedTool({ change, onAccept }: { change: Change } & Accepting) {
  const { name, blocking, old, new: next } = change;
  const lines = [linesOf(old.schema), linesOf(next.schema)] as const;
  const [before = '', after = ''] = [old, next].map((side) => sentencesOf(side).join('\n'));
  const hasNewPage = old.app?.digest !== next.app?.digest;
  const hasNewSchema = lines[0].join('\n') !== lines[1].join('\n');
  return (
    <li class="change">
      <Head name={name} onAccept={onAccept}>
        {blocking ? <Lamp colour="amber">{words.blocking}</Lamp> : <Lamp colour="off">{words.safe}</Lamp>}
      </Head>
      {old.access !== next.access && (
        <Part title={words.access}>
          <p class="change-access">
            <AccessLamp access={old.access} />
            <span aria-hidden="true">→</span>
            <AccessLamp access={next.access} />
          </p>
        </Part>
      )}
      {old.title !== next.title && (
        <Part title={words.titleOf}>
          <TextDiff label={`${words.titleOf}: ${name}`} before={old.title ?? ''} after={next.title ?? ''} />
        </Part>
      )}
      {old.description !== next.description && (
        <Part title={words.description}>
          <TextDiff
            label={`${words.description}: ${name}`}
            before={old.description}
            after={next.description}
          />
        </Part>
      )}
      {(before !== after || hasNewPage) && (
        <Part title={words.app}>
          {hasNewPage && old.app !== undefined && next.app !== undefined && <p>{appWords.sameAddress}</p>}
          {before === after ? (
            <AppNote tool={next} />
          ) : (
            <TextDiff label={`${words.app}: ${name}`} before={before} after={after} />
          )}
        </Part>
      )}
      {hasNewSchema && (
        <Part title={words.schema}>
          <LineDiff label={`${words.schema}: ${name}`} before={lines[0]} after={lines[1]} />
        </Part>
      )}
    </li>
  );
}

export function NewTool({ tool, onAccept }: { tool: AddedTool } & Accepting) {
  const { name, description, access, schema } = tool;
  const [isOpen, setOpen] = useState(false);
  return (
    <li class="change">
      <Head name={name} onAccept={onAccept}>
        <span class="change-new">{words.added}</span>
        <AccessLamp access={access} />
        <span>{words.addedLead}</span>
      </Head>
      <LongText text={description} max={400} />
      <AppNote tool={tool} />
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
      <Head name={name} isGone onAccept={onAccept}>
        <Lamp colour="off">{words.gone}</Lamp>
        <span>{words.goneLead}</span>
      </Head>
    </li>
  );
}

interface HeadProps extends Accepting {
  name: string;
  isGone?: boolean;
  children: ComponentChildren;
}

function Head({ name, isGone = false, onAccept, children }: HeadProps) {
  return (
    <div class="change-head">
      <div>
        <h3>{name}</h3>
        <p class="muted change-effect">{children}</p>
      </div>
      <Accept name={name} isGone={isGone} onAccept={onAccept} />
    </div>
  );
}

function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="change-part">
      <h4>{title}</h4>
      {children}
    </div>
  );
}

function Accept({ name, isGone, onAccept }: { name: string; isGone: boolean } & Accepting) {
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
