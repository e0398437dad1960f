// Lists words that people use for Google Contacts and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  spoken: 'google contact',
  tools: {
    gcontacts_search_contacts: 'look: phone email address birthday person',
    gcontacts_create_contact: 'save new: person phone email',
    gcontacts_update_contact: 'edit: person phone email birthday address',
    gcontacts_search_directory: 'colleague coworker employee company',
    gcontacts_change_group_members: 'label: contact',
  },
};
