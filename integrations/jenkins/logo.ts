// A mark of our own: a pipeline of three stages.
export const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="9" fill="#e4ebf1"/><path d="M13.5 20h3M23.5 20h3" stroke="#2f4f6b" stroke-width="2.4" stroke-linecap="round"/><circle cx="10.5" cy="20" r="3" fill="#2f4f6b"/><circle cx="20" cy="20" r="3.2" fill="none" stroke="#2f4f6b" stroke-width="2.4"/><path d="M26.5 16l7 4-7 4z" fill="#2f4f6b"/></svg>';
