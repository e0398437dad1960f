// Draws our mark: two jacks and a cable between them. It is the drawing of mark.svg in the theme's colours.
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect class="mark-plate" width="32" height="32" rx="8" />
      <path class="mark-cable" d="M10 13.4C10 20 22 12 22 18.6" />
      <circle class="mark-jack" cx="10" cy="10" r="3.4" />
      <circle class="mark-plug" cx="22" cy="22" r="4.6" />
    </svg>
  );
}
