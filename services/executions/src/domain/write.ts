import {
  STATUS_OF,
  TRANSITIONS,
  type FencedTransition,
  type FreeTransition,
  type Transition,
  type TransitionName,
} from './execution-state';

/** Values of fields by path, or operators on them, in MongoDB's words. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * A compare-and-set: the update happens if the filter holds, as one step. In MongoDB's words, so that a store passes
 * it on as it is.
 */
export interface Write {
  readonly transition: TransitionName;
  readonly filter: Fields;
  readonly update: {
    readonly $set: Fields;
    readonly $unset: Fields;
    readonly $inc: Fields;
    readonly $push: Fields;
    readonly $min: Fields;
    readonly $pull: Fields;
  };
  /** Names of array elements that `$set` speaks of. */
  readonly arrayFilters: readonly Fields[];
}

/** What a write demands and does beyond its row of the table. */
export interface Specifics {
  readonly where?: Fields;
  readonly set?: Fields;
  readonly unset?: readonly string[];
  readonly inc?: Readonly<Record<string, number>>;
  readonly push?: Fields;
  readonly min?: Fields;
  readonly pull?: Fields;
  readonly arrayFilters?: readonly Fields[];
}

const removed = (names: readonly string[]): Fields => Object.fromEntries(names.map((name) => [name, '']));

const formWrite = (transition: TransitionName, row: Transition, fence: Fields, specifics: Specifics): Write => ({
  transition,
  filter: { state: row.from.length === 1 ? row.from[0] : { $in: row.from }, ...fence, ...specifics.where },
  update: {
    $set: { ...(row.to === 'same' ? {} : { state: row.to, status: STATUS_OF[row.to] }), ...specifics.set },
    $unset: removed([...row.removes.filter((name) => specifics.set?.[name] === undefined), ...(specifics.unset ?? [])]),
    $inc: {
      ...(row.fence === 'raised' ? { fence: 1 } : {}),
      ...(row.generation === 'raised' ? { generation: 1 } : {}),
      ...specifics.inc,
    },
    $push: specifics.push ?? {},
    $min: specifics.min ?? {},
    $pull: specifics.pull ?? {},
  },
  arrayFilters: specifics.arrayFilters ?? [],
});

/** The write of a row that demands the current fence. */
export const fencedWrite = (transition: FencedTransition, fence: number, specifics: Specifics = {}): Write =>
  formWrite(transition, TRANSITIONS[transition], { fence }, specifics);

/** The write of a row that does not ask who holds the execution. */
export const freeWrite = (transition: FreeTransition, specifics: Specifics = {}): Write =>
  formWrite(transition, TRANSITIONS[transition], {}, specifics);
