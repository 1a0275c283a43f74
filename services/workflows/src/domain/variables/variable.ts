/** A string with a name, for the expressions and the code of all workflows. */
export interface Variable {
  readonly id: string;
  /** Unique. */
  readonly key: string;
  readonly value: string;
  /** The user who created it. */
  readonly ownerId: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Where variables are remembered. Every method throws Unavailable if the store cannot be reached. */
export interface VariableStore {
  /** Newest first, those older than `afterId` if it is given; at most `limit`. */
  readonly page: (afterId: string | undefined, limit: number) => Promise<Variable[]>;
  readonly find: (id: string) => Promise<Variable | undefined>;
  readonly count: () => Promise<number>;
  /** `key-taken` if another variable has the key. */
  readonly insert: (variable: Variable) => Promise<'done' | 'key-taken'>;
  /** `gone` if it was deleted meanwhile. */
  readonly replace: (variable: Variable) => Promise<'done' | 'gone' | 'key-taken'>;
  /** False if there is none. */
  readonly remove: (id: string) => Promise<boolean>;
}
