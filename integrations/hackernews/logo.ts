// A mark of our own: a list whose first line moves up.
export const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="9" fill="#fbeadf"/><path d="M14 12.5 9.5 18h9z" fill="#a3480f"/><path d="M14 18v3.5M22 15h9M22 21h7M10 28.5h20" fill="none" stroke="#a3480f" stroke-width="2.4" stroke-linecap="round"/></svg>';
