// Chooses a range of time: one that ends now, or one with a beginning and an end.
import { setQuery } from '../../router/location.ts';
import { texts } from '../../texts/texts.ts';
import { type Choice, CUSTOM, DAYS, type Range, RANGES } from './choice.ts';
import { SelectFilter } from '../../parts/select-filter.tsx';

const words = texts.activity;
const NAMES: Record<Range, string> = words.ranges;
const CHOICES = [
  ...[...Object.keys(DAYS), ...Object.keys(RANGES)].map((range) => ({
    value: range,
    label: NAMES[range as Range],
  })),
  { value: CUSTOM, label: words.customRange },
];

export function TimeFilter({ choice: { range, from, to } }: { choice: Choice }) {
  return (
    <>
      <SelectFilter
        label={words.time}
        any={words.anyTime}
        choices={CHOICES}
        chosen={range}
        onChoose={(chosen) => setQuery({ range: chosen, from: '', to: '' })}
      />
      {range === CUSTOM && (
        <>
          <Moment label={words.from} at={from} onChange={(at) => setQuery({ from: at })} />
          <Moment label={words.to} at={to} isEnd onChange={(at) => setQuery({ to: at })} />
        </>
      )}
    </>
  );
}

interface Props {
  label: string;
  /** Unix seconds, or empty. */
  at: string;
  /** Set for the end of a range: the chosen minute is part of it. */
  isEnd?: boolean;
  onChange: (at: string) => void;
}

function Moment({ label, at, isEnd = false, onChange }: Props) {
  return (
    <label class="field field-moment">
      <span>{label}</span>
      <input
        type="datetime-local"
        value={localOf(at)}
        onChange={({ currentTarget }) => {
          const milliseconds = new Date(currentTarget.value).getTime();
          if (Number.isNaN(milliseconds)) onChange('');
          else onChange(String(milliseconds / 1000 + (isEnd ? 59 : 0)));
        }}
      />
    </label>
  );
}

/** Writes a time as the field takes it, in the person's time zone. */
function localOf(at: string): string {
  const seconds = Number(at);
  if (at === '' || !Number.isSafeInteger(seconds)) return '';
  const moment = new Date(seconds * 1000);
  if (Number.isNaN(moment.getTime())) return '';
  const shifted = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}
