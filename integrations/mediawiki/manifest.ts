// MediaWiki: pages of a self-hosted wiki, through a person's browser session.
import { defineIntegration } from '../../src/kit/integration.ts';
import { logo } from './logo.ts';
import { tools } from './tools.ts';
import { words } from './words.ts';

export const mediawiki = defineIntegration({
  name: 'mediawiki',
  version: '1.0.0',
  displayName: 'MediaWiki',
  description: 'Pages, their history and files of your MediaWiki',
  categories: ['docs'],
  logo,
  auth: { type: 'cookie', loginUrl: '{instance}/index.php?title=Special:UserLogin' },
  // The script path, where api.php is.
  instance: { required: true, example: 'https://wiki.example.com/w', path: true },
  api: {
    base: { instancePath: '' },
    credential: { in: 'cookie' },
    // The parameter `action` names what a POST does: action=delete deletes. The modules that change something refuse a GET.
    methodsMeanNothing: 'except GET',
  },
  probe: {
    request: 'GET /api.php?action=query&meta=userinfo&format=json',
    id: '/query/userinfo/id',
    label: '/query/userinfo/name',
    anonymous: 0,
  },
  words,
  tools,
});
