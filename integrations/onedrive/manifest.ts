// OneDrive and the document libraries of SharePoint, over Microsoft Graph v1.0.
import { defineMicrosoft, row, ODATA, text } from '../microsoft/graph.ts';
import { content } from './content.ts';
import { files } from './files.ts';
import { logo } from './logo.ts';
import { sharing } from './sharing.ts';
import { words } from './words.ts';

const drive = row(
  'onedrive_whoami',
  'GET /me/drive',
  'Show whose OneDrive is connected, and how full it is',
  () => ({
    select: text
      .default('id,driveType,owner,quota,webUrl')
      .describe('Properties to return, separated by commas'),
  }),
  { names: ODATA },
);

export const onedrive = defineMicrosoft({
  name: 'onedrive',
  version: '1.0.0',
  displayName: 'OneDrive',
  description: 'Find, read, write and share files on OneDrive and SharePoint',
  categories: ['files'],
  logo,
  // Personal accounts have no sites.
  scopes: ['Files.ReadWrite.All', 'Sites.Read.All'],
  words,
  tools: [drive, ...files, ...content, ...sharing],
});
