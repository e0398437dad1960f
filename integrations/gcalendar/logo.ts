// A mark of our own: a month with one day marked.
export const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="9" fill="#e4eef8"/><g fill="none" stroke="#1f5a94" stroke-width="2.4" stroke-linecap="round"><path d="M10 12.5h20v17H10zM10 18h20M15 9.5v4M25 9.5v4" stroke-linejoin="round"/><path d="M23 24.5h2"/></g></svg>';
