// Chooses which calls to show. The address carries the choice, so people can bookmark and share it.
import type { AuditFilter } from '../../api/audit.ts';
import type { Integration } from '../../api/types.ts';
import { setQuery } from '../../router/location.ts';
import { texts } from '../../texts/texts.ts';

const words = texts.activity;

interface Props {
  filter: AuditFilter;
  integrations: readonly Integration[] | undefined;
}

export function Filters({ filter, integrations }: Props) {
  return (
    <div class="filters" role="group" aria-label={words.filters}>
      <label class="field">
        <span>{words.integration}</span>
        <select
          value={filter.integration}
          onChange={(event) => setQuery({ integration: event.currentTarget.value })}
        >
          <option value="">{words.anyIntegration}</option>
          {integrations?.map(({ name, displayName }) => (
            <option key={name} value={name}>
              {displayName}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>{words.outcome}</span>
        <select value={filter.success} onChange={(event) => setQuery({ success: event.currentTarget.value })}>
          <option value="">{words.anyOutcome}</option>
          <option value="true">{words.succeeded}</option>
          <option value="false">{words.failed}</option>
        </select>
      </label>
    </div>
  );
}
