// The titles of pages that are loaded on demand. They show before the rest of their texts is there.
export const pageTitles = {
  events: 'Events',
  notices: 'Notices',
  rules: 'Rules',
  scripts: 'Scripts',
  scriptRun: 'Run of a script',
  sets: 'Sets',
};
