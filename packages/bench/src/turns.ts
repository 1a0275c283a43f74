/** One measurement of one load on one stack. */
export interface Turn<Load, Subject> {
  readonly load: Load;
  /** From 0. */
  readonly round: number;
  readonly subject: Subject;
}

/**
 * The order of the measurements: load by load, each load alternating between the stacks, A B B A A B ..., so that a
 * slow or fast minute of the machine affects all of them, and so does the place behind another stack.
 */
export const turnsOf = <Load, Subject>(
  loads: readonly Load[],
  subjects: readonly Subject[],
  rounds: number,
): Turn<Load, Subject>[] =>
  loads.flatMap((load) =>
    Array.from({ length: rounds }, (_, round) => round).flatMap((round) =>
      (round % 2 === 0 ? subjects : subjects.toReversed()).map((subject) => ({ load, round, subject })),
    ),
  );
