import type { Duplex } from 'node:stream';
import { FrameReader, type Frame } from '@weft/sandbox';
import { encodeMessage, MAX_FRAME_BYTES, type FromPools, type ToPools, type WithBytes } from './pool-messages';

/**
 * Reads messages from one end of the pipe between a runner and a child process, and destroys it on invalid data. Its
 * end is reported by its `close` event.
 * @returns sends a message to the other end
 */
export const openPoolPipe = <Received, Sent extends ToPools | FromPools>(
  socket: Duplex,
  read: (frame: Frame) => WithBytes<Received>,
  onMessage: (message: Received, bytes: Uint8Array) => void,
): ((message: Sent, bytes?: Uint8Array) => void) => {
  const frames = new FrameReader(MAX_FRAME_BYTES);
  socket.on('data', (piece: Buffer) => {
    try {
      for (const frame of frames.push(piece)) {
        const { message, bytes } = read(frame);
        onMessage(message, bytes);
      }
    } catch {
      socket.destroy();
    }
  });
  socket.on('error', () => undefined);
  return (message, bytes) => {
    if (socket.destroyed) return;
    socket.cork();
    for (const part of encodeMessage(message, bytes)) socket.write(part);
    socket.uncork();
  };
};
