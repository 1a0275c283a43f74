import type { Run } from '../runtime/run';

/** The variables of one function call or block under way. Where each lies is worked out when the text is compiled. */
export class Frame {
  constructor(
    readonly parent: Frame | undefined,
    readonly slots: unknown[],
  ) {}
}

/** An expression, ready to run. */
export type Code = (run: Run, frame: Frame | undefined) => unknown;

/** Stands in the slot of a `let` or `const` that has not been reached yet. */
export const UNINITIALISED: unique symbol = Symbol('uninitialised');

/** The frame `hops` levels out. */
export function frameAt(frame: Frame | undefined, hops: number): Frame | undefined {
  let found = frame;
  for (let hop = 0; hop < hops; hop += 1) found = found?.parent;
  return found;
}
