// Lists words that people use for Cloudflare and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  tools: {
    cloudflare_list_zones: 'find: domains sites websites',
    cloudflare_list_dns_records: 'find: domain subdomain nameserver cname txt mx',
    cloudflare_create_dns_record: 'add point domain subdomain cname txt mx',
    cloudflare_update_dns_record: 'change edit domain subdomain cname txt mx',
    cloudflare_delete_dns_record: 'remove domain subdomain',
    cloudflare_purge_cache: 'clear invalidate flush cdn',
    cloudflare_list_workers: 'scripts serverless functions',
    cloudflare_read_worker: 'code source script',
    cloudflare_list_pages_deployments: 'build release status failed',
    cloudflare_list_kv_namespaces: 'key value store',
  },
};
