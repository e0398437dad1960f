// Lists words that people use for Salesforce and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  spoken: 'crm',
  owned: 'soql sosl',
  tools: {
    salesforce_query: 'list find filter: soql account contact lead opportunity case crm',
    salesforce_search: 'find: customer account contact lead opportunity crm sosl',
    salesforce_get_record: 'account contact lead opportunity case detail crm',
    salesforce_create_record: 'add log: account contact new crm',
    salesforce_update_record: 'edit move close assign: account contact lead case status owner crm',
    salesforce_describe_object: 'schema columns picklist',
    salesforce_run_report: 'dashboard table pipeline',
  },
};
