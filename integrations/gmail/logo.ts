// A mark of our own: a letter with its flap open.
export const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="9" fill="#f9e3e1"/><g fill="none" stroke="#97291f" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"><path d="M10 18.5 20 10.5l10 8v11H10z"/><path d="m14 22.5 6 4.5 6-4.5"/></g></svg>';
