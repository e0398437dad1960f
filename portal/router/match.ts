// Matches an address against a pattern such as /integrations/:name.
export type Params = Readonly<Record<string, string>>;

export interface PageProps {
  params: Params;
}

export function matchPath(pattern: string, path: string): Params | null {
  const expected = split(pattern);
  const actual = split(path);
  if (expected.length !== actual.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of expected.entries()) {
    const given = actual[index] ?? '';
    if (part.startsWith(':')) params[part.slice(1)] = decode(given);
    else if (part !== given) return null;
  }
  return params;
}

function split(path: string): string[] {
  return path.split('/').filter((part) => part !== '');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
