// Uploads a large file piece by piece, to the address of an upload session.
import * as z from 'zod';
import type { Bytes } from '../../src/kit/binary.ts';
import type { ToolContext } from '../../src/kit/integration.ts';
import { readPayload } from '../../src/kit/payload.ts';

const Session = z.object({ uploadUrl: z.string() });

/** Each piece but the last has to be a multiple of this. */
const UNIT = 320 * 1024;
/** Attachments allow 4 MB a piece, files of OneDrive more. */
const PIECE = 12 * UNIT;

/** Returns the answer to the last piece. The address is itself the permission, so no token is sent. */
export async function uploadPieces(
  fetch: ToolContext['fetch'],
  session: unknown,
  bytes: Bytes,
): Promise<unknown> {
  const { uploadUrl } = Session.parse(session);
  let answer: unknown;
  for (let start = 0; start < bytes.length; start += PIECE) {
    const piece = bytes.slice(start, start + PIECE);
    const range = `bytes ${start}-${start + piece.length - 1}/${bytes.length}`;
    const headers = { 'content-range': range, 'content-type': 'application/octet-stream' };
    answer = await readPayload(await fetch(uploadUrl, { method: 'PUT', headers, body: piece }));
  }
  return answer;
}
