// What a directory has pushed of people. An adapter with a process of its own serves SCIM itself. decision: 071
import type { Feature } from '../kit/feature.ts';
import type { Ports } from '../ports/ports.ts';

export const scimFeature = {
  name: 'scim',
  personal: {
    export:
      ({ store }: Pick<Ports, 'store'>) =>
      ({ id }) => ({
        async directory() {
          const told = await store.directory.told(id);
          return told === null ? [] : [told];
        },
      }),
  },
} satisfies Feature;
