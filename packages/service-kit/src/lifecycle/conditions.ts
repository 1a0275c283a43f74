/** A condition of the whole process: undefined while it is met, otherwise why it is not. */
export type Condition = () => string | undefined;

const conditions = new Set<Condition>();

/** Adds a condition that the process must meet to be ready. @returns a function that removes it */
export const addCondition = (condition: Condition): (() => void) => {
  conditions.add(condition);
  return () => conditions.delete(condition);
};

/** Why the process is not ready, apart from its store and broker. */
export const unmetConditions = (): readonly string[] => [...conditions].flatMap((condition) => condition() ?? []);
