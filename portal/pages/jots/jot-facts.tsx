// Shows the picture of a jot beside its address, readers, size and views.
import type { JotPage } from '../../api/jots.ts';
import { size } from '../../parts/amounts.ts';
import { Icon } from '../../parts/icon.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { texts } from '../../texts/texts.ts';
import { Thumbnail } from './thumbnail.tsx';

const words = texts.jots;

export function JotFacts({ jot }: { jot: JotPage }) {
  const { url, access, cors, files, bytes, views, createdAt } = jot;
  return (
    <div class="panel jot-about">
      <Thumbnail jot={jot} />
      <dl class="jot-list">
        <dt>{words.one.address}</dt>
        <dd class="jot-address">
          <a href={url} target="_blank" rel="noreferrer">
            {url}
          </a>
        </dd>
        <dt>{words.one.access}</dt>
        <dd>
          <span class="jot-access">
            <Icon name={access === 'public' ? 'globe' : 'lock'} />
            {words.access[access]}
          </span>
          {cors && access === 'public' && <span class="muted">{words.cors}</span>}
        </dd>
        <dt>{words.one.size}</dt>
        <dd>
          {words.files(files)}, {size(bytes)}
        </dd>
        <dt>{words.one.views}</dt>
        <dd>
          {words.views(views.total)}
          {views.total > 0 && <span class="muted">{words.recentViews(views.recent)}</span>}
        </dd>
        <dt>{words.one.created}</dt>
        <dd>
          <RelativeTime at={createdAt} />
        </dd>
      </dl>
    </div>
  );
}
