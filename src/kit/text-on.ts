// Chooses the colour of a text on a colour. The portal shows beforehand what the gateway's pages will look like, so it takes
// this function from here.

/** Black or white, whichever stands out more, on `#rrggbb`. WCAG 2.2 §1.4.3 */
export function textOn(colour: string): string {
  const luminance = luminanceOf(colour);
  return 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.05 ? '#ffffff' : '#000000';
}

function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
