// Every integration, in load order.
import type { Integration } from '../src/kit/integration.ts';
import { asana } from './asana/manifest.ts';
import { airtable } from './airtable/manifest.ts';
import { trello } from './trello/manifest.ts';
import { todoist } from './todoist/manifest.ts';
import { clickup } from './clickup/manifest.ts';
import { monday } from './monday/manifest.ts';
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
import { outlook } from './outlook/manifest.ts';
import { outlookCalendar } from './outlook_calendar/manifest.ts';
import { teams } from './teams/manifest.ts';
import { onedrive } from './onedrive/manifest.ts';
import { msTodo } from './ms_todo/manifest.ts';
import { excel } from './excel/manifest.ts';
import { posthog } from './posthog/manifest.ts';
import { gsheets } from './gsheets/manifest.ts';
import { gdocs } from './gdocs/manifest.ts';
import { gtasks } from './gtasks/manifest.ts';
import { gcontacts } from './gcontacts/manifest.ts';
import { search } from './search/manifest.ts';
import { dropbox } from './dropbox/manifest.ts';
import { hubspot } from './hubspot/manifest.ts';
import { stripe } from './stripe/manifest.ts';
import { discord } from './discord/manifest.ts';
import { vercel } from './vercel/manifest.ts';
import { cloudflare } from './cloudflare/manifest.ts';
import { supabase } from './supabase/manifest.ts';
import { calCom } from './cal_com/manifest.ts';
import { zendesk } from './zendesk/manifest.ts';
import { salesforce } from './salesforce/manifest.ts';
import { shopify } from './shopify/manifest.ts';

export const integrations: readonly Integration[] = [
  time,
  web,
  search,
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
  airtable,
  asana,
  trello,
  todoist,
  clickup,
  monday,
  notion,
  figma,
  sentry,
  datadog,
  posthog,
  vercel,
  cloudflare,
  supabase,
  pagerduty,
  grafana,
  resend,
  redmine,
  jenkins,
  mediawiki,
  discourse,
  gmail,
  gcalendar,
  calCom,
  gdrive,
  gsheets,
  gdocs,
  gtasks,
  gcontacts,
  dropbox,
  slack,
  discord,
  outlook,
  outlookCalendar,
  teams,
  onedrive,
  msTodo,
  excel,
  hubspot,
  stripe,
  zendesk,
  salesforce,
  shopify,
];
