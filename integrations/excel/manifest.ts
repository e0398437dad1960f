// Excel workbooks on OneDrive and SharePoint, over Microsoft Graph v1.0.
import { defineMicrosoft, whoami } from '../microsoft/graph.ts';
import { logo } from './logo.ts';
import { ranges } from './ranges.ts';
import { tables } from './tables.ts';
import { words } from './words.ts';

export const excel = defineMicrosoft({
  name: 'excel',
  version: '1.0.0',
  displayName: 'Excel',
  description: 'Sheets, cells and tables of Excel workbooks on OneDrive and SharePoint',
  categories: ['docs'],
  logo,
  scopes: ['Files.ReadWrite.All'],
  words,
  tools: [whoami('excel'), ...ranges, ...tables],
});
