import {
  STATUS_OF,
  TRANSITIONS,
  type FencedTransition,
  type FreeTransition,
  type Transition,
  type TransitionName,
} from './execution-state';

/** Values of fields by path; a dot leads into a field of a field. */
export type Fields = Readonly<Record<string, unknown>>;

/** A condition on one field other than equality. An absent field never satisfies a comparison. */
export type Comparison =
  | { readonly is: 'absent' }
  | { readonly is: 'oneOf'; readonly values: readonly string[] }
  | { readonly is: 'absentOrOneOf'; readonly values: readonly number[] }
  | { readonly is: 'atMost'; readonly value: number }
  | { readonly is: 'before'; readonly time: Date }
  /** Not later than `after`, or later than `until`, or absent. */
  | { readonly is: 'notBetween'; readonly after: Date; readonly until: Date };

/** A condition on one field: a comparison, or the value that it must equal. */
export type Condition = Comparison | string | number | boolean | Date | undefined;

/** Conditions by path; all of them must hold. */
export type Conditions = Readonly<Record<string, Condition>>;

export const absent: Comparison = { is: 'absent' };
export const oneOf = (values: readonly string[]): Comparison => ({ is: 'oneOf', values });
export const absentOrOneOf = (values: readonly number[]): Comparison => ({ is: 'absentOrOneOf', values });
export const atMost = (value: number): Comparison => ({ is: 'atMost', value });
export const before = (time: Date): Comparison => ({ is: 'before', time });
export const notBetween = (after: Date, until: Date): Comparison => ({ is: 'notBetween', after, until });

/** Change of the array elements that meet the conditions. */
export interface ElementChange {
  readonly list: string;
  readonly where: Conditions;
  readonly set: Fields;
}

/** Changes of one document, applied atomically. No path may occur twice. */
export interface Changes {
  readonly set: Fields;
  readonly remove: readonly string[];
  readonly inc: Readonly<Record<string, number>>;
  /** A value to append to an array, or an array of such values. */
  readonly append?: Readonly<Record<string, object | readonly object[]>> | undefined;
  /** Sets a field that is absent or greater. */
  readonly lower?: Readonly<Record<string, Date>> | undefined;
  /** Removes the array elements whose fields have these values. */
  readonly removeElements?: Readonly<Record<string, Conditions>> | undefined;
  readonly setElements?: ElementChange | undefined;
}

/** A compare-and-set: the changes are applied atomically if all conditions hold. */
export interface Write {
  readonly transition: TransitionName;
  readonly where: Conditions;
  readonly changes: Changes;
}

/** Conditions and changes of a write in addition to those of its row of the table. */
export interface Specifics extends Partial<Changes> {
  readonly where?: Conditions;
}

const createWrite = (
  transition: TransitionName,
  row: Transition,
  fence: Conditions,
  { where, set, remove, inc, append, lower, removeElements, setElements }: Specifics,
): Write => ({
  transition,
  where: { state: row.from.length === 1 ? row.from[0] : oneOf(row.from), ...fence, ...where },
  changes: {
    set: { ...(row.to === 'same' ? {} : { state: row.to, status: STATUS_OF[row.to] }), ...set },
    remove: [...row.removes.filter((name) => set?.[name] === undefined), ...(remove ?? [])],
    inc: {
      ...(row.fence === 'raised' ? { fence: 1 } : {}),
      ...(row.generation === 'raised' ? { generation: 1 } : {}),
      ...inc,
    },
    append,
    lower,
    removeElements,
    setElements,
  },
});

/** The write of a row that demands the current fence. */
export const fencedWrite = (transition: FencedTransition, fence: number, specifics: Specifics = {}): Write =>
  createWrite(transition, TRANSITIONS[transition], { fence }, specifics);

/** The write of a row that does not check the holder of the execution. */
export const freeWrite = (transition: FreeTransition, specifics: Specifics = {}): Write =>
  createWrite(transition, TRANSITIONS[transition], {}, specifics);
