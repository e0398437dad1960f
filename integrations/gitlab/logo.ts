// A mark of our own: a branch that returns.
export const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="9" fill="#fbe9dd"/><g fill="none" stroke="#a03c12" stroke-width="2.4" stroke-linecap="round"><path d="M14 15.5v9"/><path d="M26 15.5c0 5-3 6.5-9.5 9.5"/><circle cx="14" cy="12.5" r="3"/><circle cx="26" cy="12.5" r="3"/><circle cx="14" cy="27.5" r="3"/></g></svg>';
