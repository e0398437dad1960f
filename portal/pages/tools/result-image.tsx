// Shows the image in a tool's result. decision: 031
import { texts } from '../../texts/texts.ts';
import { member, parse } from './read-json.ts';

export function ResultImage({ text }: { text: string }) {
  const address = text.includes('"_mcpImage"') ? imageIn(text) : null;
  return address === null ? null : <img class="result-image" src={address} alt={texts.tools.image} />;
}

function imageIn(text: string): string | null {
  const image = member(member(parse(text), 'result'), '_mcpImage');
  const data = member(image, 'data');
  const mimeType = member(image, 'mimeType');
  if (typeof data !== 'string' || typeof mimeType !== 'string' || !mimeType.startsWith('image/')) return null;
  return `data:${mimeType};base64,${data}`;
}
