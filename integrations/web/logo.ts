// A mark of our own.
export const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="9" fill="#e2eff2"/><circle cx="20" cy="20" r="10.2" fill="none" stroke="#1d5663" stroke-width="2.4"/><path d="M9.8 20h20.4M20 9.8c5.6 6 5.6 14.4 0 20.4M20 9.8c-5.6 6-5.6 14.4 0 20.4" fill="none" stroke="#1d5663" stroke-width="2"/></svg>';
