// A mark of our own: a page made of blocks.
export const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="9" fill="#efece6"/><path d="M12 9h16v22H12z" fill="none" stroke="#4a4237" stroke-width="2.4" stroke-linejoin="round"/><path d="M16.5 15h7M16.5 20h4M16.5 25h7" stroke="#4a4237" stroke-width="2.4" stroke-linecap="round"/></svg>';
