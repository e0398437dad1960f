// Shows everything that a call consists of: its exact arguments, its files, its request, and what the tool says of itself.
import type { Approval, ApprovalFile } from '../../api/approvals.ts';
import { ArgumentsView, FileName } from '../../parts/arguments-view.tsx';
import { LongVisibleText, VisibleText } from '../../parts/visible-text.tsx';
import { approvalsTexts } from '../../texts/approvals.ts';
import { visibleTexts } from '../../texts/visible.ts';
import { filledPath } from './filled-path.ts';
import type { Names } from './use-names.ts';

const { facts: words } = approvalsTexts;

export function ApprovalBody({ approval, names }: { approval: Approval; names: Names }) {
  const { args, because, files, request, description, integration, tool, state } = approval;
  // The name of a raw request is its method and path.
  const isRaw = tool.includes(' ');
  return (
    <div class="approval-body">
      <div class="approval-args" role="group" aria-label={visibleTexts.arguments}>
        {args === null ? (
          <p class="muted">{state === 'pending' ? approvalsTexts.unreadable : visibleTexts.gone}</p>
        ) : (
          <ArgumentsView args={args} files={files} />
        )}
      </div>
      <dl class="approval-facts">
        {because !== undefined && (
          <div>
            <dt>{words.because}</dt>
            <dd>
              <VisibleText text={because} />
            </dd>
          </div>
        )}
        {files.length > 0 && <Files files={files} />}
        {!isRaw && (
          <div>
            <dt>{words.tool}</dt>
            <dd>
              <code>{tool}</code>
            </dd>
          </div>
        )}
        {request !== null && (
          <div>
            <dt>{words.request}</dt>
            <dd>
              <code>
                {request.method} <VisibleText text={filledPath(request.path, args)} />
              </code>
            </dd>
          </div>
        )}
        {description !== null && description !== '' && (
          <div>
            <dt>
              {names.isImport(integration) ? words.ownWords(names.nameOf(integration)) : words.description}
            </dt>
            <dd class={names.isImport(integration) ? 'approval-quote outside-text' : 'outside-text'}>
              <LongVisibleText text={description} of={tool} />
            </dd>
          </div>
        )}
      </dl>
    </div>
  );
}

function Files({ files }: { files: readonly ApprovalFile[] }) {
  return (
    <div>
      <dt>{words.files}</dt>
      {files.map((file) => (
        <dd key={file.handle}>
          <FileName file={file} />
        </dd>
      ))}
    </div>
  );
}
