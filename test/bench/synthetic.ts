// Makes as many synthetic tools as a large gateway has, in integrations written like real ones.
import * as z from 'zod';
import { defineIntegration } from '../../src/kit/integration.ts';
import { createRows } from '../../src/kit/rest-rows.ts';

const { row } = createRows({ names: 'snake_case' });

export const synthetic = Array.from({ length: 40 }, (_, number) => {
  const name = `synthetic${number}`;
  return defineIntegration({
    name,
    version: '1.0.0',
    displayName: `Synthetic ${number}`,
    description: 'Nobody’s service',
    categories: ['Other'],
    logo: null,
    auth: { type: 'apikey', fields: [{ key: 'token', label: 'Token', secret: true, required: true }] },
    api: { base: 'https://synthetic.example', credential: { in: 'bearer' } },
    tools: Array.from({ length: 50 }, (__, index) =>
      row(
        `${name}_update_item_${index}`,
        `PATCH /owners/{owner}/items${index}/{item}`,
        `Change item ${index} of an owner`,
        () => ({
          owner: z.string(),
          item: z.string(),
          title: z.string().optional(),
          state: z.enum(['open', 'closed']).optional(),
          labels: z.array(z.string()).optional(),
          page: z.int().default(1),
        }),
      ),
    ),
  });
});
