// What was called.
export const activityTexts = {
  activity: {
    title: 'Activity',
    lead: 'Every tool call made as you, newest first.',
    filters: 'Filters',
    integration: 'Integration',
    anyIntegration: 'All integrations',
    outcome: 'Outcome',
    anyOutcome: 'All outcomes',
    succeeded: 'Succeeded',
    failed: 'Failed',
    refresh: 'Refresh',
    columns: { tool: 'Tool', outcome: 'Outcome', duration: 'Duration', when: 'When' },
    noneTitle: 'No calls yet',
    noneLead: 'They appear here as soon as you, an agent or a script runs a tool.',
    noneAction: 'Try a tool',
    noMatchTitle: 'No call matches these filters',
    noMatchLead: 'Look at all of them instead.',
    noneSoFar: 'None of the newest calls matches. There are older ones.',
    more: 'Load more',
    end: 'That is everything.',
  },
};
