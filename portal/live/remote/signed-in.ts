// Guesses from the address whether the person has finished the login. The button works at any time.
export interface LogIn {
  url: string;
  /** Other sites that the login redirected to, such as a company's single sign-on. */
  hosts: readonly string[];
}

/** Adds the site to the login's sites: redirects before the person's first action belong to the login. */
export function learnLogIn(logIn: LogIn, address: string): LogIn {
  const host = hostOf(address);
  const known = host === '' || host === hostOf(logIn.url) || logIn.hosts.includes(host);
  return known ? logIn : { ...logIn, hosts: [...logIn.hosts, host] };
}

export function hasLeftLogIn({ url, hosts }: LogIn, address: string): boolean {
  const login = URL.parse(url);
  const now = URL.parse(address);
  if (login === null || now === null || hostOf(address) === '') return false;
  if (now.host !== login.host) return !hosts.includes(now.host);
  // Some sites have the login and everything else on one host, or even at one path.
  const isThatPage =
    bare(now.pathname) === bare(login.pathname) &&
    [...login.searchParams].every(([name, value]) => now.searchParams.get(name) === value);
  return !isThatPage;
}

function hostOf(address: string): string {
  const url = URL.parse(address);
  return url !== null && /^https?:$/.test(url.protocol) ? url.host : '';
}

function bare(path: string): string {
  return path.replace(/\/$/, '');
}
