// Shows a result as a table or as JSON, with what people do with it: find, wrap, copy and download.
import { useMemo } from 'preact/hooks';
import { CopyButton } from '../../../parts/copy-button.tsx';
import { download } from '../../../parts/download.ts';
import { Icon } from '../../../parts/icon.tsx';
import { Segments } from '../../../parts/segments.tsx';
import { useKept } from '../../../state/use-kept.ts';
import { toolsTexts } from '../../../texts/tools.ts';
import '../../../styles/json-panel.css';
import { FindBar } from './find-bar.tsx';
import { JsonTree } from './json-tree.tsx';
import { tableIn } from './list-in.ts';
import { ListTable } from './list-table.tsx';
import { PlainText } from './plain-text.tsx';
import { useTree } from './use-tree.ts';

const words = toolsTexts.tools;
const VIEWS = ['table', 'json'] as const;
type View = (typeof VIEWS)[number];

interface Props {
  value: unknown;
  /** The name of a downloaded file, without its ending. */
  name: string;
}

export function JsonPanel({ value, name }: Props) {
  const table = useMemo(() => tableIn(value), [value]);
  const [chosen, setChosen] = useKept<View>('result view', 'table');
  const [isWrapped, setWrapped] = useKept('result wrap', true);
  const view = table === null ? 'json' : chosen;
  const tree = useTree(value);
  const isText = typeof value === 'string';
  const asText = () => (isText ? value : JSON.stringify(value, null, 2));

  return (
    <div class="json-panel">
      <div class="json-tools">
        {table !== null && (
          <Segments
            class="json-views"
            label={words.view}
            choices={VIEWS.map((each) => ({ value: each, label: words.views[each] }))}
            chosen={view}
            onChoose={setChosen}
          />
        )}
        {view === 'json' && !isText && <FindBar tree={tree} />}
        {view === 'json' && (
          <button
            type="button"
            class="button"
            aria-pressed={isWrapped}
            onClick={() => setWrapped(!isWrapped)}
          >
            {words.wrap}
          </button>
        )}
        {view === 'json' && !isText && (
          <>
            <button type="button" class="button" onClick={tree.openAll}>
              {words.tree.openAll}
            </button>
            <button type="button" class="button" onClick={tree.closeAll}>
              {words.tree.closeAll}
            </button>
          </>
        )}
      </div>
      {view === 'table' && table !== null ? (
        <ListTable key={name} table={table} />
      ) : (
        <div role="region" aria-label={words.json} class="json-frame">
          {isText ? (
            <PlainText text={value} isWrapped={isWrapped} />
          ) : (
            <JsonTree
              root={tree.root}
              opened={tree.opened}
              onOpen={tree.setOpened}
              active={tree.active}
              onActive={tree.setActive}
              isWrapped={isWrapped}
              find={tree.find}
              found={tree.found}
            />
          )}
        </div>
      )}
      <div class="row">
        <CopyButton label={words.copyResult} text={asText} />
        <button
          type="button"
          class="button"
          onClick={() =>
            download(
              isText ? `${name}.txt` : `${name}.json`,
              asText(),
              isText ? 'text/plain' : 'application/json',
            )
          }
        >
          <Icon name="download" />
          {words.files.download}
        </button>
      </div>
    </div>
  );
}
