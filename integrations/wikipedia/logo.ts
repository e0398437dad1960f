// A mark of our own.
export const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="9" fill="#eeece6"/><path d="M12 10.5h13.5a2.5 2.5 0 0 1 2.5 2.5v16.5H14.5A2.5 2.5 0 0 1 12 27Z" fill="none" stroke="#4a4538" stroke-width="2.4" stroke-linejoin="round"/><path d="M12 27a2.5 2.5 0 0 1 2.5-2.5H28M16.5 15.5h7" fill="none" stroke="#4a4538" stroke-width="2.4" stroke-linecap="round"/></svg>';
