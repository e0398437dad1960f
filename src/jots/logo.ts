// A page with a turned corner, of our own.
export const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="9" fill="#f6e9df"/><path d="M12.5 10.5h10l5 5v14h-15z" fill="none" stroke="#a3420d" stroke-width="2.4" stroke-linejoin="round"/><path d="M22.2 10.8v5h5M16.2 20.6h7.6M16.2 24.8h5" fill="none" stroke="#a3420d" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"/></svg>';
