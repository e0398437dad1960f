// Declares an entry of the catalogue of well-known servers, as the API answers it.
import * as z from 'zod';

export const catalogueServer = () =>
  z.object({
    name: z.string(),
    displayName: z.string(),
    address: z.string(),
    auth: z.enum(['none', 'oauth2', 'token']).describe('How a person connects'),
    description: z.string(),
    docs: z.string().describe("The provider's documentation"),
    logo: z.string().describe('A path'),
    headers: z
      .record(z.string(), z.string())
      .describe('Where a token goes; `{token}` stands for it')
      .exactOptional(),
    builtIn: z.string().describe('The built-in integration of the same service').exactOptional(),
    categories: z.array(z.string()).readonly(),
  });

/** An entry without its logo, which follows from its name. */
export type KnownServer = Omit<z.infer<ReturnType<typeof catalogueServer>>, 'logo'>;
