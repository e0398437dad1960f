// A mark of our own: a branch that returns to its trunk.
export const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="9" fill="#e6e9f2"/><path d="M14 14v12M26 17.5c0 5-12 2.5-12 8" fill="none" stroke="#26325c" stroke-width="2.4" stroke-linecap="round"/><g fill="#e6e9f2" stroke="#26325c" stroke-width="2.4"><circle cx="14" cy="11.5" r="3"/><circle cx="14" cy="28.5" r="3"/><circle cx="26" cy="14.5" r="3"/></g></svg>';
