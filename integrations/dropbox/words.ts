// Lists words that people use for Dropbox and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  tools: {
    dropbox_read_file: 'open download: content text document',
    dropbox_upload_file: 'save store: document',
    dropbox_create_shared_link: 'send give: access public anyone',
    dropbox_restore_file: 'undelete recover: deleted version',
  },
};
