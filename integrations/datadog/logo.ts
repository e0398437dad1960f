// A mark of our own.
export const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="9" fill="#e6ecf8"/><path d="M10 27.5l5.4-8.2 4.6 4.4 5-9.2 5 6.8" fill="none" stroke="#2c4a86" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"/><path d="M10 31h20" stroke="#2c4a86" stroke-width="2.4" stroke-linecap="round"/></svg>';
