// Every integration, in load order.
import type { Integration } from '../src/kit/integration.ts';
import { bitbucket } from './bitbucket/manifest.ts';
import { confluence } from './confluence/manifest.ts';
import { datadog } from './datadog/manifest.ts';
import { discourse } from './discourse/manifest.ts';
import { gcalendar } from './gcalendar/manifest.ts';
import { git } from './git/manifest.ts';
import { gitlab } from './gitlab/manifest.ts';
import { gmail } from './gmail/manifest.ts';
import { grafana } from './grafana/manifest.ts';
import { gdrive } from './gdrive/manifest.ts';
import { github } from './github/manifest.ts';
import { hackernews } from './hackernews/manifest.ts';
import { jenkins } from './jenkins/manifest.ts';
import { jira } from './jira/manifest.ts';
import { mediawiki } from './mediawiki/manifest.ts';
import { osv } from './osv/manifest.ts';
import { pagerduty } from './pagerduty/manifest.ts';
import { redmine } from './redmine/manifest.ts';
import { resend } from './resend/manifest.ts';
import { sentry } from './sentry/manifest.ts';
import { slack } from './slack/manifest.ts';
import { web } from './web/manifest.ts';
import { wikipedia } from './wikipedia/manifest.ts';
import { time } from './time/manifest.ts';
import { linear } from './linear/manifest.ts';
import { notion } from './notion/manifest.ts';
import { figma } from './figma/manifest.ts';
import { posthog } from './posthog/manifest.ts';

export const integrations: readonly Integration[] = [
  time,
  web,
  wikipedia,
  osv,
  hackernews,
  github,
  gitlab,
  bitbucket,
  git,
  jira,
  confluence,
  linear,
  notion,
  figma,
  sentry,
  datadog,
  posthog,
  pagerduty,
  grafana,
  resend,
  redmine,
  jenkins,
  mediawiki,
  discourse,
  gmail,
  gcalendar,
  gdrive,
  slack,
];
