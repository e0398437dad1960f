// An integration without credentials that has a tool of each access level.
import { defineIntegration, type Integration, tool } from '../../src/kit/integration.ts';
import type { Access } from '../../src/kit/access.ts';

export const createNotes = (onRun: (access: Access) => void = () => {}): Integration =>
  defineIntegration({
    name: 'notes',
    displayName: 'Notes',
    version: '1.0.0',
    description: 'A fixture',
    categories: ['test'],
    logo: null,
    auth: { type: 'none' },
    tools: (['read', 'write', 'destroy'] as const).map((access) =>
      tool(
        `notes_${access}`,
        `May ${access}`,
        () => ({}),
        () => {
          onRun(access);
          return 'done';
        },
        access,
      ),
    ),
  });
