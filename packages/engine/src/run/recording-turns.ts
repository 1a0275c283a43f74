/** The turn of one node at recording its run. */
export interface RecordingTurn {
  /** Resolves when no other node records its run. Further calls resolve at once. */
  enter(): Promise<void>;
  /** Lets the next node record. Does nothing if the turn was not entered. */
  leave(): void;
}

/**
 * Lets nodes that run at the same time record their runs one after the other, in the order in which they end: the
 * numbers of runs and the state that is stored with them are those of one sequence.
 */
export class RecordingTurns {
  #last = Promise.resolve();

  turn(): RecordingTurn {
    let entered: Promise<void> | undefined;
    let leave = (): void => undefined;
    return {
      enter: () => {
        if (entered !== undefined) return entered;
        entered = this.#last;
        const { promise, resolve } = Promise.withResolvers<void>();
        leave = resolve;
        this.#last = promise;
        return entered;
      },
      leave: () => leave(),
    };
  }
}
