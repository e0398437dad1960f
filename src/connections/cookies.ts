// Cookie bundles as they are stored. spec: Connection; design: C13
import * as z from 'zod';

const Bundle = z.object({ cookies: z.array(z.object({ expires: z.number().default(-1) })) });

/** Connected means at least one cookie that has not expired; -1 is a session cookie. */
export function hasLiveCookie(bundle: string, now: number): boolean {
  const parsed = Bundle.safeParse(parseJson(bundle));
  return parsed.success && parsed.data.cookies.some(({ expires }) => expires === -1 || expires > now);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
