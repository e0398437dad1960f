// A tray with an arrow into it, of our own.
export const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="9" fill="#e6ecdf"/><path d="M11 22v6.5h18V22M20 11v12M15.5 18.8 20 23.2l4.5-4.4" fill="none" stroke="#3f5f22" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"/></svg>';
