// Lists the versions of a jot, and rolls the jot back to one of them.
import type { JotPage, JotVersion } from '../../api/jots.ts';
import { size } from '../../parts/amounts.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { plainName } from '../../parts/plain-name.ts';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { texts } from '../../texts/texts.ts';

const words = texts.jots.one;

interface Props {
  jot: JotPage;
  onRollBack: (version: number, current: number) => Promise<void>;
}

export function JotVersions({ jot: { name, versions }, onRollBack }: Props) {
  const current = versions.find((version) => version.current)?.version ?? 0;
  return (
    <section class="section">
      <h2 class="section-title">{words.versions}</h2>
      <p class="section-note">{words.versionsAbout}</p>
      <ul class="rows" aria-label={words.versions}>
        {versions.map((version) => (
          <li key={version.version} class="jot-version">
            <div>
              <h3>
                {words.version(version.version)}
                {version.current && <span class="version-current">{words.current}</span>}
              </h3>
              <p class="muted jot-facts">
                <span>
                  <RelativeTime at={version.publishedAt} />
                  {version.by !== null && ` ${words.by} ${publisherOf(version.by)}`}
                </span>
                <span>
                  {texts.jots.files(version.files)}, {size(version.bytes)}
                </span>
              </p>
            </div>
            {!version.current && (
              <ConfirmButton
                label={words.rollBack}
                named={words.rollBackTo(version.version)}
                title={words.rollBackTitle(version.version, name)}
                loses={false}
                onConfirm={() => onRollBack(version.version, current)}
              >
                <p>{words.rollBackEffect}</p>
                <p>{words.rollBackLeft}</p>
              </ConfirmButton>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function publisherOf({ kind, name }: NonNullable<JotVersion['by']>): string {
  const shown = plainName(name ?? '');
  if (kind === 'session') return words.you;
  if (kind === 'key') return words.withKey;
  return shown === '' ? words.unnamed : shown;
}
