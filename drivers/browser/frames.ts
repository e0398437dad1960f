// Locates an element on a page, also inside a frame that another process renders.
import type { CdpConnection } from './connection.ts';

export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A session of the guard: a page, or a frame of another site within a page. */
export interface Frame {
  sessionId: string;
  /** The target's id, which is also the frame's id. */
  targetId: string;
  parent: Frame | null;
}

/**
 * `expression` selects an element in the helper's world. Returns null when there is none or it is not
 * rendered.
 */
export async function rectOf(
  connection: CdpConnection,
  frame: Frame,
  contextId: number,
  expression: string,
): Promise<Rect | null> {
  const send = connection.to(frame.sessionId);
  const { result } = await send('Runtime.evaluate', { contextId, expression });
  const { objectId } = result;
  if (objectId === undefined) return null;
  try {
    const { quads } = await send('DOM.getContentQuads', { objectId });
    const own = toRect(quads[0]);
    if (own === null) return null;
    const { x, y } = await offsetOf(connection, frame);
    return { ...own, x: own.x + x, y: own.y + y };
  } finally {
    await send('Runtime.releaseObject', { objectId }).catch(() => {});
  }
}

async function offsetOf(connection: CdpConnection, frame: Frame): Promise<{ x: number; y: number }> {
  let x = 0;
  let y = 0;
  for (let at = frame; at.parent !== null; at = at.parent) {
    const send = connection.to(at.parent.sessionId);
    const { backendNodeId } = await send('DOM.getFrameOwner', { frameId: at.targetId });
    const { model } = await send('DOM.getBoxModel', { backendNodeId });
    x += model.content[0] ?? 0;
    y += model.content[1] ?? 0;
  }
  return { x, y };
}

/** A quad has four corners, each a pair of numbers. */
function toRect(quad: readonly number[] | undefined): Rect | null {
  if (quad === undefined) return null;
  const xs = quad.filter((_, index) => index % 2 === 0);
  const ys = quad.filter((_, index) => index % 2 === 1);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}
