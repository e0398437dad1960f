// What the tools of Google Drive have in common.
import { flag, text } from '../google/oauth.ts';

export const fileId = text.describe('Id of a file or folder, from gdrive_list_files or its address');

/** Lists and look-ups must ask for files on shared drives explicitly. */
export const supportsAllDrives = flag
  .transform((supports) => supports ?? true)
  .describe('false ignores files on shared drives');
