import type { Buffer } from 'node:buffer';
import { FRAME } from '../process/frames';
import { sealProcess } from '../seal/seal';
import type { BlockingFrames } from './blocking-frames';

/** Makes this process, a copy of a fork server, a sealed one that does jobs until its input ends. */
export function serveJobs(frames: BlockingFrames, memoryMb: number, answer: (job: Buffer) => void): void {
  try {
    sealProcess({ memoryMb, isCopy: true });
  } catch (error) {
    frames.write([FRAME.unsealed, error instanceof Error ? error.message : String(error)]);
    return;
  }
  frames.write([FRAME.ready, '']);
  for (let frame = frames.read(); frame !== undefined; frame = frames.read())
    if (frame.kind === FRAME.job) answer(frame.body);
}
