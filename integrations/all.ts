// Every integration, in load order.
import type { Integration } from '../src/integration.ts';
import { datadog } from './datadog/manifest.ts';
import { grafana } from './grafana/manifest.ts';
import { osv } from './osv/manifest.ts';
import { resend } from './resend/manifest.ts';
import { sentry } from './sentry/manifest.ts';
import { web } from './web/manifest.ts';
import { wikipedia } from './wikipedia/manifest.ts';
import { time } from './time/manifest.ts';

export const integrations: readonly Integration[] = [
  time,
  web,
  wikipedia,
  osv,
  sentry,
  datadog,
  grafana,
  resend,
];
