// Accounts and zones, with their DNS records and their cache.
import * as z from 'zod';
import { type Tool, tool } from '../../src/kit/integration.ts';
import { pick } from '../../src/kit/pick.ts';
import { withoutUndefined } from '../../src/kit/without-empty.ts';
import { paging, resultOf, row, send, showList, showOne, some, text, zoneId } from './api.ts';

const RECORDS = '/zones/{zoneId}/dns_records';
const TYPES = [
  'A',
  'AAAA',
  'CAA',
  'CERT',
  'CNAME',
  'DNSKEY',
  'DS',
  'HTTPS',
  'LOC',
  'MX',
  'NAPTR',
  'NS',
  'OPENPGPKEY',
  'PTR',
  'SMIMEA',
  'SRV',
  'SSHFP',
  'SVCB',
  'TLSA',
  'TXT',
  'URI',
] as const;

const showZone = pick(() => ({
  id: text,
  name: text,
  status: some,
  paused: z.boolean().optional(),
  account: z.object({ id: some, name: some }).optional(),
  plan: z.object({ name: some }).optional(),
  name_servers: z.array(text).nullish(),
}));
const showRecord = pick(() => ({
  id: text,
  type: text,
  name: text,
  content: some,
  data: z.record(text, z.unknown()).optional(),
  ttl: z.number().optional(),
  proxied: z.boolean().optional(),
  priority: z.number().optional(),
  comment: z.string().nullish(),
}));

const recordId = text.describe('`id` from cloudflare_list_dns_records');
const type = z.enum(TYPES).describe('Type of the record');
const name = text.describe('Full name, such as www.example.com; @ for the zone itself');
const record = () => ({
  content: some.describe('Value, such as 192.0.2.1, a host or a text'),
  data: z
    .record(text, z.unknown())
    .optional()
    .describe(
      'Parts of the value, for SRV, CAA and the like, such as {"flags":0,"tag":"issue","value":"ca.test"}',
    ),
  proxied: z
    .boolean()
    .optional()
    .describe('true sends the traffic through Cloudflare; for A, AAAA and CNAME'),
  priority: z.int().optional().describe('Priority of an MX or URI record'),
  comment: some.describe('Note on the record, which has no effect'),
});
const ttl = z.int().describe('Seconds that it may be kept, from 60 on; 1 is automatic');
const texts = () => z.array(text).min(1).max(30).optional();

export const zones: readonly Tool[] = [
  row(
    'cloudflare_list_accounts',
    'GET /accounts',
    'List the accounts that the token can use, by page',
    () => paging(50),
    {
      result: showList(
        'accounts',
        pick(() => ({ id: text, name: text, type: some })),
      ),
    },
  ),
  row(
    'cloudflare_list_zones',
    'GET /zones',
    'List zones, which are the domains at Cloudflare, by page',
    () => ({
      name: some.describe('Domain, such as example.com'),
      status: z.enum(['initializing', 'pending', 'active', 'moved']).optional().describe('Only this status'),
      ...paging(50),
    }),
    { result: showList('zones', showZone) },
  ),
  row(
    'cloudflare_list_dns_records',
    `GET ${RECORDS}`,
    'List the DNS records of a zone, by page',
    () => ({
      zoneId,
      type: type.optional(),
      search: some.describe('Words in name, content or comment'),
      ...paging(100),
    }),
    { result: showList('records', showRecord) },
  ),
  row(
    'cloudflare_create_dns_record',
    `POST ${RECORDS}`,
    'Create a DNS record in a zone',
    () => ({ zoneId, type, name, ttl: ttl.default(1), ...record() }),
    { result: showOne(showRecord) },
  ),
  tool(
    'cloudflare_update_dns_record',
    'Change a DNS record; what is not given stays',
    () => ({
      zoneId,
      recordId,
      name: name.optional(),
      type: type.optional(),
      ttl: ttl.optional(),
      ...record(),
    }),
    async ({ zoneId: zone, recordId: id, ...changes }, { upstream }) => {
      const at = { zoneId: zone, recordId: id };
      // Cloudflare wants the type, the name and the time to live in every change.
      const kept = z
        .object({ type: text, name: text, ttl: z.number() })
        .parse(resultOf(await send(upstream, `GET ${RECORDS}/{recordId}`, at)));
      const changed = { ...at, ...kept, ...withoutUndefined(changes) };
      return showRecord(resultOf(await send(upstream, `PATCH ${RECORDS}/{recordId}`, changed)));
    },
    'write',
  ),
  row(
    'cloudflare_delete_dns_record',
    `DELETE ${RECORDS}/{recordId}`,
    'Delete a DNS record',
    () => ({ zoneId, recordId }),
    { result: resultOf },
  ),
  tool(
    'cloudflare_purge_cache',
    'Purge the cache of a zone: addresses, hosts, prefixes, tags or everything',
    () => ({
      zoneId,
      files: texts().describe('Full addresses, such as https://www.example.com/style.css'),
      hosts: texts().describe('Hosts, such as www.example.com'),
      prefixes: texts().describe('Beginnings without https://, such as www.example.com/blog'),
      tags: texts().describe('Values of the header Cache-Tag'),
      everything: z.literal(true).optional().describe('true purges the whole zone'),
    }),
    async ({ zoneId: zone, everything, ...lists }, { upstream }) => {
      const given = Object.values({ everything, ...lists }).filter((value) => value !== undefined);
      if (given.length !== 1)
        throw new Error('Give exactly one of files, hosts, prefixes, tags and everything');
      const what = { ...lists, purgeEverything: everything };
      return resultOf(await send(upstream, 'POST /zones/{zoneId}/purge_cache', { zoneId: zone, ...what }));
    },
    'write',
  ),
];
