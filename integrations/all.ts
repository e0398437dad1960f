// Every integration, in load order.
import type { Integration } from '../src/integration.ts';
import { bitbucket } from './bitbucket/manifest.ts';
import { datadog } from './datadog/manifest.ts';
import { gitlab } from './gitlab/manifest.ts';
import { grafana } from './grafana/manifest.ts';
import { github } from './github/manifest.ts';
import { jenkins } from './jenkins/manifest.ts';
import { mediawiki } from './mediawiki/manifest.ts';
import { osv } from './osv/manifest.ts';
import { redmine } from './redmine/manifest.ts';
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
  github,
  gitlab,
  bitbucket,
  sentry,
  datadog,
  grafana,
  resend,
  redmine,
  jenkins,
  mediawiki,
];
