import { SANDBOX_LIMITS } from '../pools/limits';
import { FRAME } from '../process/frames';
import { HostCalls } from './host-calls/host-calls';
import type { RealmOutcome } from './run-in-realm';

/** Interval at which console output is sent, so that killed code keeps its earlier output. */
const CONSOLE_MS = 20;

// Captured before the global names of the process's realm are removed.
const { performance } = globalThis;

/** A frame of the answer to a job. */
export type AnswerFrame = readonly [kind: number, content: string];

/** This process as seen by one run. */
export class RunHost {
  #sentAt = performance.now();
  readonly calls: HostCalls;

  /** @param send sends console output, a JSON array of strings, while the run is in progress */
  constructor(send: (lines: string) => void) {
    this.calls = new HostCalls((isLast) => {
      const now = performance.now();
      if (!isLast && now - this.#sentAt < CONSOLE_MS) return;
      this.#sentAt = now;
      send(JSON.stringify(this.calls.takeLines()));
    });
  }

  /** Answers a call of the realm. Only strings pass in either direction. */
  answer(operation: unknown, text: unknown): string {
    if (typeof operation !== 'string' || typeof text !== 'string') return '{}';
    if (text.length > SANDBOX_LIMITS.hostCallBytes)
      return '{"error":{"name":"RangeError","message":"The text is too long"}}';
    return this.calls.answer(operation, text);
  }

  /** Frames at the end of the run. */
  framesOf(outcome: RealmOutcome): AnswerFrame[] {
    const answer: AnswerFrame =
      typeof outcome === 'string' ? [FRAME.result, outcome] : [FRAME.stopped, JSON.stringify(outcome)];
    const lines = this.calls.takeLines();
    return lines.length === 0 ? [answer] : [[FRAME.console, JSON.stringify(lines)], answer];
  }
}
