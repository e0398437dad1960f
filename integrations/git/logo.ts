// A mark of our own: two branches that meet a trunk.
export const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="9" fill="#f8e7df"/><g transform="translate(9.5 9)" fill="none" stroke="#b3411e" stroke-width="2.2"><circle cx="6" cy="4" r="2.6"/><circle cx="6" cy="18" r="2.6"/><circle cx="16" cy="8" r="2.6"/><path d="M6 6.6v8.8M16 10.6c0 4-10 1.6-10 4.8"/></g></svg>';
