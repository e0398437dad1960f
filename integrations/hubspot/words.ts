// Lists words that people use for HubSpot and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  spoken: 'crm',
  tools: {
    hubspot_search_records: 'find list: crm customer lead contact company deal ticket person client',
    hubspot_list_records: 'crm customer lead contact company deal ticket',
    hubspot_get_record: 'crm customer lead contact company deal ticket detail',
    hubspot_create_record: 'add: crm customer lead new',
    hubspot_update_record: 'change edit move close assign: crm contact company ticket owner won lost',
    hubspot_archive_record: 'delete remove: crm contact company deal ticket',
    hubspot_list_activities: 'history timeline log crm happened',
    hubspot_create_note: 'add log: crm call meeting comment',
    hubspot_create_task: 'add: crm todo follow',
    hubspot_list_pipelines: 'crm funnel',
  },
};
