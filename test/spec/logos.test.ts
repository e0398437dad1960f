// Tests the logos: brand marks are those of Simple Icons, and every logo follows the theme. decision: 051
import * as icons from 'simple-icons';
import { describe, expect, it } from 'vitest';
import { integrations } from '../../integrations/all.ts';

const BRANDS: Record<string, icons.SimpleIcon> = {
  asana: icons.siAsana,
  cal_com: icons.siCaldotcom,
  clickup: icons.siClickup,
  cloudflare: icons.siCloudflare,
  todoist: icons.siTodoist,
  supabase: icons.siSupabase,
  trello: icons.siTrello,
  airtable: icons.siAirtable,
  bitbucket: icons.siBitbucket,
  confluence: icons.siConfluence,
  datadog: icons.siDatadog,
  discord: icons.siDiscord,
  discourse: icons.siDiscourse,
  dropbox: icons.siDropbox,
  figma: icons.siFigma,
  gcalendar: icons.siGooglecalendar,
  gdrive: icons.siGoogledrive,
  gdocs: icons.siGoogledocs,
  gtasks: icons.siGoogletasks,
  gsheets: icons.siGooglesheets,
  git: icons.siGit,
  github: icons.siGithub,
  gitlab: icons.siGitlab,
  gmail: icons.siGmail,
  grafana: icons.siGrafana,
  hackernews: icons.siYcombinator,
  hubspot: icons.siHubspot,
  jira: icons.siJira,
  linear: icons.siLinear,
  notion: icons.siNotion,
  pagerduty: icons.siPagerduty,
  posthog: icons.siPosthog,
  resend: icons.siResend,
  sentry: icons.siSentry,
  shopify: icons.siShopify,
  stripe: icons.siStripe,
  vercel: icons.siVercel,
  wikipedia: icons.siWikipedia,
  zendesk: icons.siZendesk,
};

/** Their owners, or the licence of the drawing, do not allow it. decision: 051 */
const OF_OUR_OWN = [
  'excel',
  'gcontacts',
  'jenkins',
  'mediawiki',
  'monday',
  'ms_todo',
  'onedrive',
  'osv',
  'outlook',
  'outlook_calendar',
  'redmine',
  'salesforce',
  'search',
  'slack',
  'teams',
  'time',
  'web',
];

describe('the logo of', () => {
  it.each(integrations.map(({ name, logo }) => [name, logo ?? ''] as const))(
    '%s is the mark people know',
    (name, logo) => {
      const brand = BRANDS[name];
      expect(OF_OUR_OWN.includes(name)).toBe(brand === undefined);
      if (brand === undefined) return;
      expect(logo).toContain(`d="${brand.path}"`);
      expect(logo).toContain(`color="#${brand.hex.toLowerCase()}"`);
    },
  );

  it.each(integrations.map(({ name, logo }) => [name, logo ?? ''] as const))(
    '%s has a light and a dark tile',
    (_, logo) => {
      expect(logo).toContain('style="color-scheme:light dark"');
      expect(logo).toMatch(/<rect [^>]*style="fill:light-dark\(#f4f2ec,#2a2724\)"\/>/);
      expect(logo).toMatch(/<g [^>]*style="color:light-dark\(#[0-9a-f]{6},#[0-9a-f]{6}\)">/);
      // The mark has no other colour.
      expect(logo.replace(/^.*?<g [^>]*>/s, '')).not.toMatch(/"#/);
    },
  );
});
