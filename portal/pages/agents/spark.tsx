// Draws the calls of the last 24 hours as small columns.
import { agentPagesTexts as words } from '../../texts/agent-pages.ts';

const WIDTH = 96;
const HEIGHT = 24;
const GAP = 1;

export function Spark({ hours }: { hours: readonly number[] }) {
  const most = Math.max(1, ...hours);
  const step = WIDTH / hours.length;
  const calls = hours.reduce((sum, each) => sum + each, 0);
  return (
    <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={words.spark(calls)}>
      {hours.map((each, index) => {
        const height = each === 0 ? 1 : Math.max(3, (each / most) * HEIGHT);
        return (
          <rect
            key={index}
            class={each === 0 ? 'spark-none' : ''}
            x={index * step}
            y={HEIGHT - height}
            width={step - GAP}
            height={height}
            rx="1"
          />
        );
      })}
    </svg>
  );
}
