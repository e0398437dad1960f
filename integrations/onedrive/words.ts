// Lists words that people use for OneDrive and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  spoken: 'microsoft 365 sharepoint',
  tools: {
    onedrive_list_files: 'folder document',
    onedrive_search_files: 'find: document spreadsheet presentation pdf',
    onedrive_upload_file: 'save store create: document new',
    onedrive_read_file: 'open download convert: content text document pdf',
    onedrive_update_file: 'rename move: folder',
    onedrive_share_file: 'invite grant: give access folder document',
    onedrive_list_permissions: 'who access shared',
    onedrive_whoami: 'storage space full quota used left',
  },
};
