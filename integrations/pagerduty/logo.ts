// A mark of our own: a ringing bell.
export const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="9" fill="#e2f2e6"/><path d="M12 26.5c2-1.8 2.4-4 2.4-7.4a5.6 5.6 0 0 1 11.2 0c0 3.4.4 5.6 2.4 7.4z" fill="none" stroke="#17603a" stroke-width="2.4" stroke-linejoin="round"/><path d="M17.6 30.5h4.8M20 11V9.5" stroke="#17603a" stroke-width="2.4" stroke-linecap="round"/></svg>';
