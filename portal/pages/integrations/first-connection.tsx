// Offers the integrations that most people connect first.
import { hasWay, isKnown, type WithState } from '../../connect/state.ts';
import { Logo } from '../../parts/logo.tsx';
import { Link } from '../../router/link.tsx';
import { firstStepsTexts } from '../../texts/first-steps.ts';
import { popularFirst } from './sections.ts';

const words = firstStepsTexts.firstSteps;
const MAX_OFFERED = 4;

interface Props {
  all: readonly WithState[];
  isAboveGallery: boolean;
  /** Whether this is the step to take now. */
  isNext: boolean;
  onConnect: (integration: WithState) => void;
}

export function FirstConnection({ all, isAboveGallery, isNext, onConnect }: Props) {
  const offered = popularFirst(all)
    .filter((each) => hasWay(each) && !isKnown(each))
    .slice(0, MAX_OFFERED);
  return (
    <ul class="first-connections">
      {offered.map((integration, index) => (
        <li key={integration.name}>
          <button
            type="button"
            class={index === 0 && isNext ? 'button button-primary' : 'button'}
            onClick={() => onConnect(integration)}
          >
            <Logo src={integration.logo} name={integration.displayName} />
            {integration.displayName}
          </button>
        </li>
      ))}
      {!isAboveGallery && (
        <li>
          <Link href="/integrations">{words.allIntegrations}</Link>
        </li>
      )}
    </ul>
  );
}
