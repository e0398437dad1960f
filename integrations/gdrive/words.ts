// Lists words that people use for Google Drive and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  spoken: 'google drive',
  aliases: {
    drive: 'gdrive',
    'google drive': 'gdrive',
    'google doc': 'gdrive + document',
    'google document': 'gdrive + document',
    'google sheet': 'gdrive + spreadsheet',
    'google slide': 'gdrive + document',
    'google table': 'gdrive + spreadsheet',
  },
  tools: {
    gdrive_whoami: 'storage space full quota used left',
    gdrive_get_file: 'metadata size owner',
    gdrive_list_drives: 'shared team drive',
    gdrive_list_files: 'search find: folder document spreadsheet presentation pdf contract',
    gdrive_upload_file: 'save store create: text csv document spreadsheet pdf new',
    gdrive_read_file: 'open download: content text document spreadsheet',
    gdrive_export_file: 'download convert: pdf docx word csv document',
    gdrive_update_file: 'rename move trash: folder restore',
    gdrive_list_permissions: 'who access shared',
    gdrive_share_file: 'invite grant send: public anyone give access permission folder document doc',
    gdrive_list_comments: 'document feedback',
    gdrive_create_comment: 'document',
  },
};
