// Microsoft Teams, over Microsoft Graph v1.0. Work and school accounts only.
import { defineMicrosoft, whoami } from '../microsoft/graph.ts';
import { logo } from './logo.ts';
import { reading } from './read.ts';
import { writing } from './write.ts';
import { words } from './words.ts';

export const teams = defineMicrosoft({
  name: 'teams',
  version: '1.0.0',
  displayName: 'Microsoft Teams',
  description: 'Chats, channels and messages of Microsoft Teams',
  categories: ['messaging'],
  logo,
  scopes: [
    'Team.ReadBasic.All',
    'Channel.ReadBasic.All',
    'ChannelMessage.Read.All',
    'ChannelMessage.Send',
    'Chat.ReadWrite',
    'User.ReadBasic.All',
  ],
  words,
  tools: [whoami('teams'), ...reading, ...writing],
});
