// Draws what the gateway does: an agent asks it, and it calls the services with the person's credentials. The drawing goes
// across where there is room, and down on phones.
import { firstStepsTexts } from '../../texts/first-steps.ts';

const words = firstStepsTexts.firstSteps.picture;

const WIDTH = 196;
const HEIGHT = 76;
/** A box without words about it: phones have the steps below in sight. */
const LOW = 44;

export function GatewayPicture() {
  return (
    <div class="gateway-picture" role="img" aria-label={words.told}>
      <svg class="picture-across" viewBox="0 0 860 92" aria-hidden="true">
        <Box x={2} y={8} title={words.agent} about={words.agentAbout} />
        <Arrow from={[200, 46]} to={[328, 46]} label={words.asks} at={[264, 36]} />
        <Box x={332} y={8} title={words.gateway} about={words.gatewayAbout} isGateway />
        <Arrow from={[530, 46]} to={[658, 46]} label={words.calls} at={[594, 36]} />
        <Box x={662} y={8} title={words.services} about={words.servicesAbout} />
      </svg>
      <svg class="picture-down" viewBox="0 0 300 204" aria-hidden="true">
        <Box x={52} y={2} title={words.agent} />
        <Arrow from={[150, 48]} to={[150, 76]} label={words.asks} at={[162, 67]} isBeside />
        <Box x={52} y={80} title={words.gateway} isGateway />
        <Arrow from={[150, 126]} to={[150, 154]} label={words.calls} at={[162, 145]} isBeside />
        <Box x={52} y={158} title={words.services} />
      </svg>
    </div>
  );
}

interface BoxProps {
  x: number;
  y: number;
  title: string;
  about?: string;
  isGateway?: boolean;
}

function Box({ x, y, title, about, isGateway = false }: BoxProps) {
  const line = y + (about === undefined ? 28 : 34);
  return (
    <g class={isGateway ? 'picture-gateway' : undefined}>
      <rect
        class="picture-box"
        x={x}
        y={y}
        width={WIDTH}
        height={about === undefined ? LOW : HEIGHT}
        rx="12"
      />
      {isGateway && (
        // A lock before the title.
        <path
          class="picture-line"
          d={`M${x + 47} ${line - 9}h12v9h-12zM${x + 50} ${line - 9}v-3.5a3 3 0 0 1 6 0v3.5`}
        />
      )}
      <text class="picture-title" x={x + WIDTH / 2 + (isGateway ? 11 : 0)} y={line}>
        {title}
      </text>
      {about !== undefined && (
        <text class="picture-about" x={x + WIDTH / 2} y={y + 56}>
          {about}
        </text>
      )}
    </g>
  );
}

type Point = readonly [number, number];

interface ArrowProps {
  from: Point;
  to: Point;
  label: string;
  at: Point;
  /** The label stands on the right of an arrow that points down. */
  isBeside?: boolean;
}

function Arrow({ from: [x1, y1], to: [x2, y2], label, at: [x, y], isBeside = false }: ArrowProps) {
  const head = isBeside ? `M${x2 - 5} ${y2 - 7}l5 7l5-7` : `M${x2 - 7} ${y2 - 5}l7 5l-7 5`;
  return (
    <>
      <path class="picture-line" d={`M${x1} ${y1}L${x2} ${y2}${head}`} />
      <text class={isBeside ? 'picture-label picture-beside' : 'picture-label'} x={x} y={y}>
        {label}
      </text>
    </>
  );
}
