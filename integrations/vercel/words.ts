// Lists words that people use for Vercel and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  tools: {
    vercel_list_deployments: 'find: builds releases latest failed preview production status',
    vercel_get_deployment: 'read: build release status why failed url',
    vercel_get_deployment_events: 'read: build log output error why failed',
    vercel_redeploy: 'rebuild again release',
    vercel_promote_deployment: 'release ship live production publish rollback',
    vercel_list_env_vars: 'environment variables secrets config',
    vercel_set_env_var: 'change update add environment variable secret config',
    vercel_delete_env_var: 'remove environment variable secret',
    vercel_list_projects: 'find: sites apps websites',
    vercel_check_domain: 'dns misconfigured nameserver record',
  },
};
