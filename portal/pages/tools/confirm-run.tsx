// Asks before a tool runs that deletes: names the tool, the account and the arguments.
import { fetchConnections } from '../../api/integrations.ts';
import type { Tool } from '../../api/tools.ts';
import { ArgumentsView } from '../../parts/arguments-view.tsx';
import { ConfirmActions } from '../../parts/confirm-actions.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { toolWords } from '../../parts/tool-words.ts';
import { VisibleText } from '../../parts/visible-text.tsx';
import { useResource } from '../../state/use-resource.ts';
import { texts } from '../../texts/texts.ts';

const words = texts.tools;

/** The method of a raw request says what it does. */
export function mayDelete({ access, name, integration }: Tool, args: Record<string, unknown>): boolean {
  if (access !== 'destroy') return false;
  const { method = 'GET' } = args;
  return !isRaw({ name, integration }) || (method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS');
}

const isRaw = ({ name, integration }: Pick<Tool, 'name' | 'integration'>) =>
  name === `${integration}_request`;

interface Props {
  tool: Tool;
  args: Record<string, unknown>;
  /** What the call is about, such as the name of a jot. Empty where nothing tells it. */
  subject: string;
  displayName: string;
  onConfirm: () => void;
  onClose: () => void;
}

export function ConfirmRun({ tool, args, subject, displayName, onConfirm, onClose }: Props) {
  const connections = useResource('connections', fetchConnections).data;
  const account = connections?.find(({ name }) => name === tool.integration)?.account?.label ?? '';
  return (
    <Dialog title={words.confirmTitle(tool.name)} onClose={onClose}>
      {(close) => (
        <>
          <div class="dialog-body">
            <p class="dialog-warning">
              {isRaw(tool) ? (
                words.confirmRaw(displayName, account)
              ) : (
                <VisibleText
                  text={words.confirmLead(
                    toolWords(tool.name, tool.integration),
                    subject,
                    displayName,
                    account,
                  )}
                />
              )}{' '}
              {words.destroys}
            </p>
            <div class="dialog-args">
              <ArgumentsView args={args} />
            </div>
          </div>
          <ConfirmActions
            confirmLabel={words.run}
            confirmClass="button button-danger"
            hasFocus
            onCancel={close}
            onConfirm={() => {
              close();
              onConfirm();
            }}
          />
        </>
      )}
    </Dialog>
  );
}
