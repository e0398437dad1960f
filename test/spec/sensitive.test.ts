// Measures what is found in texts, with texts that are put together here: no file holds anything that looks like a secret.
// reference: Outside content; decision: 063
import { readFileSync } from 'node:fs';
import { check } from 'recheck';
import { describe, expect, it } from 'vitest';
import { FORMS, type Removed, removeSensitive, removeSensitiveIn } from '../../src/json/sensitive.ts';

const ALL = new Set(['secrets', 'personal'] as const);
const letters = (count: number) => 'aB3dE5fG7hJ9'.repeat(Math.ceil(count / 12)).slice(0, count);
const hex = (count: number) => '0123456789abcdef'.repeat(8).slice(0, count);
const capitals = 'ABCDEFGHIJKLMNOP';
const pem = (kind: string, line: string) => `-----${line} ${kind} PRIVATE KEY-----`;
const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The numbers are those that providers publish for tests, and the example IBANs of the registry. */
const REAL: readonly (readonly [kind: string, text: string])[] = [
  ...['p', 'o', 'u', 's', 'r'].map((each) => ['github_token', `gh${each}_${letters(36)}`] as const),
  ['github_token', `github_pat_${letters(22)}_${letters(59)}`],
  ['gitlab_token', `glpat-${letters(20)}`],
  ['gitlab_token', `glrt-${letters(20)}`],
  ['slack_token', `xoxb-${'1'.repeat(12)}-${'2'.repeat(12)}-${letters(24)}`],
  ['slack_token', `xapp-1-A${capitals}-${letters(30)}`],
  ['webhook', `https://hooks.slack.com/services/T${capitals}/B${capitals}/${letters(24)}`],
  ['aws_key_id', `AKIA${capitals}`],
  ['aws_key_id', `ASIA${capitals}`],
  ['stripe_key', `sk_live_${letters(24)}`],
  ['stripe_key', `rk_test_${letters(24)}`],
  ['stripe_key', `whsec_${letters(32)}`],
  ['google_key', `AIza${letters(35)}`],
  ['google_key', `GOCSPX-${letters(28)}`],
  ['google_token', `ya29.${letters(80)}`],
  ['anthropic_key', `sk-ant-api03-${letters(93)}`],
  ['openai_key', `sk-proj-${letters(80)}`],
  ['openai_key', `sk-${letters(48)}`],
  ['npm_token', `npm_${letters(36)}`],
  ['pypi_token', `pypi-AgEIcHlwaS5vcmc${letters(80)}`],
  ['huggingface_token', `hf_${letters(34)}`],
  ['sendgrid_key', `SG.${letters(22)}.${letters(43)}`],
  ['shopify_token', `shpat_${hex(32)}`],
  ['digitalocean_token', `dop_v1_${hex(64)}`],
  ['linear_key', `lin_api_${letters(40)}`],
  ['telegram_token', `${'1'.repeat(9)}:AA${letters(33)}`],
  ['jwt', `${base64({ alg: 'HS256', typ: 'JWT' })}.${base64({ sub: '1234567890' })}.${letters(43)}`],
  ['private_key', `${pem('RSA', 'BEGIN')}\n${letters(64)}\n${pem('RSA', 'END')}`],
  ['private_key', `${pem('OPENSSH', 'BEGIN')}\n${letters(64)}`],
  ...[
    '4111111111111111',
    '4242 4242 4242 4242',
    '5555-5555-5555-4444',
    '2223003122003222',
    '378282246310005',
    '3782 822463 10005',
    '6011111111111117',
    '3530111333300000',
    '30569309025904',
  ].map((each) => ['card', each] as const),
  ...[
    'DE89370400440532013000',
    'DE89 3704 0044 0532 0130 00',
    'GB29NWBK60161331926819',
    'FR1420041010050500013M02606',
    'NL91ABNA0417164300',
    'NO9386011117947',
    'MT84MALT011000012345MTLCAST001S',
  ].map((each) => ['iban', each] as const),
  ...['ana@example.com', 'a.b+c@mail.example.co.uk', 'x_1@sub.example.org'].map(
    (each) => ['email', each] as const,
  ),
  ...['+14155552671', '+44 20 7946 0958', '+49 (30) 901820', '+33 1 23 45 67 89'].map(
    (each) => ['phone', each] as const,
  ),
];

/** What looks alike and is nothing of the kind. */
const FALSE: readonly string[] = [
  '4111111111111112',
  '4242 4242 4242 4241',
  '1234567890123456',
  '9999999999999999',
  '20261129073000123',
  '550e8400-e29b-41d4-a716-446655440000',
  'DE89370400440532013001',
  'XX89370400440532013000',
  'AB12 THIS IS A TITLE IN CAPITALS',
  'ghp_short',
  'the prefix ghp_ of a token',
  'sk-learn and sk-image',
  'risk-assessment-of-the-whole-project-in-general',
  'task-ant-colony-optimisation-of-routes',
  'AKIAshort',
  'npm_config_registry',
  'npm_package_dependencies_react',
  'hf_hub_download',
  'eyJhbGciOiJub25lIn0',
  'SG.1 is a paragraph',
  '-----BEGIN CERTIFICATE-----',
  '-----BEGIN PUBLIC KEY-----',
  '@mention of somebody',
  'a@b',
  'git@github',
  '1 + 1234567',
  '+1 year',
  '2026-11-29T07:30:00+01:00',
  'version 10.20.30.40',
  'sha256-47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU',
  'd41d8cd98f00b204e9800998ecf8427e',
  'https://example.com/a/b?c=1234567890',
];

const around = (text: string): string[] => [
  text,
  `see "${text}", please`,
  `\n${text}\n`,
  `{"a":"${text}"}`,
  `(${text})`,
];

function kindsIn(text: string): Record<string, number> {
  const removed: Removed = new Map();
  removeSensitive(text, ALL, removed);
  return Object.fromEntries(removed);
}

describe('what is found', () => {
  it.each(REAL)('finds a %s wherever it stands', (kind, text) => {
    for (const each of around(text)) expect(kindsIn(each)).toEqual({ [kind]: 1 });
  });

  it.each(FALSE)('leaves alone %s', (text) => {
    for (const each of around(text)) expect(kindsIn(each)).toEqual({});
  });

  it('keeps what stands around a find, and the rest of a value', () => {
    const removed: Removed = new Map();
    const value = {
      'ana@example.com': ['pay DE89 3704 0044 0532 0130 00 IN TIME', 4111111111111111, true, null, 5],
    };
    expect(removeSensitiveIn(value, ALL, removed)).toEqual({
      '[removed: email]': ['pay [removed: iban] IN TIME', '[removed: card]', true, null, 5],
    });
    expect(Object.fromEntries(removed)).toEqual({ email: 1, iban: 1, card: 1 });
  });

  it('takes only what the rule names', () => {
    const text = `ana@example.com ghp_${letters(36)}`;
    expect(removeSensitive(text, new Set(['secrets']), new Map())).toBe(
      'ana@example.com [removed: github_token]',
    );
    expect(removeSensitive(text, new Set(['personal']), new Map())).toBe(
      `[removed: email] ghp_${letters(36)}`,
    );
  });

  it('has its figures in the documentation', () => {
    const page = readFileSync(new URL('../../docs/outside-content.md', import.meta.url), 'utf8');
    const found = REAL.flatMap(([kind, text]) => around(text).map((each) => kindsIn(each)[kind] === 1));
    const wrong = FALSE.flatMap(around).filter((each) => Object.keys(kindsIn(each)).length > 0);
    expect(page).toContain(
      `${found.filter(Boolean).length} of ${found.length} found, ${wrong.length} of ${FALSE.flatMap(around).length} taken by mistake`,
    );
  });
});

describe('the forms', () => {
  it.each(FORMS)('$name takes linear time', async ({ source }) => {
    // Without a seed, one run in forty takes the many steps of a long text for a growing number of them.
    const judged = await check(source, 'g', { timeout: 20_000, randomSeed: 1 });
    expect(judged.status).toBe('safe');
  });
});
