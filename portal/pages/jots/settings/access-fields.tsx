// Renders the choice who can see a jot, with its password.
import { ConnectFieldRow } from '../../../connect/connect-field.tsx';
import { texts } from '../../../texts/texts.ts';

const words = texts.jots;
const ACCESS = ['public', 'password'] as const;

interface Access {
  access: (typeof ACCESS)[number];
  password: string;
}

interface Props extends Access {
  /** The jot has a password, which an empty field keeps. */
  wasLocked: boolean;
  /** The error that is about the password. */
  problem: string;
  onChange: (change: Access) => void;
}

export function AccessFields({ access, password, wasLocked, problem, onChange }: Props) {
  const locked = access === 'password';
  return (
    <>
      <fieldset class="choices">
        <legend class="visually-hidden">{words.accessLabel}</legend>
        {ACCESS.map((choice) => (
          <label key={choice} class="choice">
            <input
              type="radio"
              name="access"
              checked={access === choice}
              onChange={() => onChange({ access: choice, password })}
            />
            <span class="choice-name">{words.access[choice]}</span>
            <span class="choice-about">{words.accessHelp[choice]}</span>
          </label>
        ))}
      </fieldset>
      {wasLocked && !locked && <p class="notice">{words.accessLoss}</p>}
      {locked && (
        <ConnectFieldRow
          field={{
            key: 'password',
            kind: 'text',
            label: words.password,
            required: !wasLocked,
            help: wasLocked ? words.passwordKept : words.passwordNew,
          }}
          value={password}
          problem={problem}
          onChange={(typed) => onChange({ access, password: typed })}
        />
      )}
    </>
  );
}
