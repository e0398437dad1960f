// A mark of our own: a page with a link in it.
export const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="9" fill="#f4efdc"/><path d="M12 9.5h11.5L29 15v15.5H12z" fill="none" stroke="#6b5a1e" stroke-width="2.4" stroke-linejoin="round"/><path d="M16.5 18.5h4M16.5 23h8M16.5 26.5h5.5" stroke="#6b5a1e" stroke-width="2.2" stroke-linecap="round"/></svg>';
