import { mayChange, type Principal } from '@weft/service-kit/auth';
import {
  ChangedSinceRead,
  etagOfParts,
  holdsFor,
  InvalidRequest,
  isConditional,
  type EtagCondition,
  type FieldError,
} from '@weft/service-kit/errors';
import { isUuid, uuidv7 } from '@weft/service-kit/ids';
import { ownedBy, readPage, type OwnedPageParams, type ReadOwned } from '@weft/service-kit/paging';
import { requireClaim, type CheckClaim, type Claim } from '../versions/claims';
import { boundReached, type ChooseOwner, type CountOwnedBy } from '@weft/service-kit/ownership';
import type { ScopedVariables } from '../scoped-stores';
import { NotYourVariable, TooManyVariables, VariableKeyTaken, VariableNotFound } from './errors';

/** A named string for the expressions and code of all workflows. */
export interface Variable {
  readonly id: string;
  /** Unique. */
  readonly key: string;
  readonly value: string;
  /** The user or project that it belongs to. */
  readonly ownerId: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Store of variables. Every method throws Unavailable if the database cannot be reached. */
export interface VariableStore {
  /** Newest first, older than `afterId` and of one owner if these are given; at most `limit`. */
  readonly page: ReadOwned<Variable>;
  readonly find: (id: string) => Promise<Variable | undefined>;
  readonly count: CountOwnedBy;
  /** `key-taken` if another variable has the key. */
  readonly insert: (variable: Variable) => Promise<'done' | 'key-taken'>;
  /** `gone` if it was deleted meanwhile, or is not as `seen` any more. */
  readonly replace: (variable: Variable, seen?: Variable) => Promise<'done' | 'gone' | 'key-taken'>;
  /** False if it does not exist, or is not as `seen` any more. */
  readonly remove: (id: string, seen?: Variable) => Promise<boolean>;
}

/** Key and value of a variable, as sent by users. */
export interface VariableInput {
  readonly key: string;
  readonly value: string;
}

/** A variable to be created. */
export interface NewVariable extends VariableInput {
  /** Owner: a project or user; undefined: the creating user. */
  readonly projectId: string | undefined;
  /** Its id; undefined: a new one. */
  readonly id?: string | undefined;
}

/** One page of a list. */
export interface VariablePage {
  readonly variables: readonly Variable[];
  /** Empty on the last page. */
  readonly nextCursor: string;
}

/** Use cases of variables. */
export interface VariableUseCases {
  /** Newest first. @throws InvalidRequest for a limit above 100, an unknown cursor, or an invalid project id */
  readonly listVariables: (page: OwnedPageParams) => Promise<VariablePage>;
  /** @throws VariableNotFound */
  readonly getVariable: (id: string) => Promise<Variable>;
  /** @throws InvalidRequest, Forbidden, ProjectNotFound, VariableKeyTaken, TooManyVariables */
  readonly createVariable: (input: NewVariable, user: Principal) => Promise<Variable>;
  /**
   * Replaces key and value. Without a condition the last of two writers wins.
   * @throws InvalidRequest, VariableNotFound, NotYourVariable, VariableKeyTaken, ChangedSinceRead
   */
  readonly replaceVariable: (
    id: string,
    input: VariableInput,
    user: Principal,
    condition?: EtagCondition,
  ) => Promise<Variable>;
  /**
   * Deletes a variable. Runs that have begun still see it.
   * @throws VariableNotFound, also if it is already deleted; NotYourVariable, ChangedSinceRead
   */
  readonly deleteVariable: (id: string, user: Principal, condition?: EtagCondition) => Promise<void>;
}

/** Values by key, read from the store for each run. @throws ClaimLost, Unavailable */
export type ReadVariables = (claim: Claim) => Promise<Readonly<Record<string, string>>>;

const KEY = /^[A-Za-z0-9_]{1,50}$/;
const MAX_VALUE_LENGTH = 1_000;

/** Maximum variables of an instance: they must fit into one message, and into the sandbox of Code nodes. */
const MAX_VARIABLES = 500;

const check = ({ key, value }: VariableInput): void => {
  const errors: FieldError[] = [];
  if (!KEY.test(key) || key === '__proto__')
    errors.push({ field: 'key', message: 'Use 1 to 50 letters, digits and underscores.' });
  if (value.length > MAX_VALUE_LENGTH)
    errors.push({ field: 'value', message: `Use at most ${MAX_VALUE_LENGTH} characters.` });
  if (errors.length > 0) throw new InvalidRequest('The variable is not valid.', errors);
};

/** @throws VariableNotFound */
const load = async (store: ScopedVariables, id: string): Promise<Variable> => {
  const variable = isUuid(id) ? await store.find(id) : undefined;
  if (variable === undefined) throw new VariableNotFound(id);
  return variable;
};

/** @throws VariableNotFound, NotYourVariable */
const loadOwned = async (store: ScopedVariables, id: string, user: Principal): Promise<Variable> => {
  const variable = await load(store, id);
  if (!mayChange(user, variable.ownerId)) throw new NotYourVariable(id);
  return variable;
};

/** The entity tag of a variable, without its quotes. */
export const variableEtag = ({ id, key, value, ownerId, updatedAt }: Variable): string =>
  etagOfParts(id, key, value, ownerId, updatedAt.getTime());

const changed = (variableId: string): ChangedSinceRead => new ChangedSinceRead('variable', { variableId });

/** @throws ChangedSinceRead */
const checkCondition = (seen: Variable, condition: EtagCondition): void => {
  if (!holdsFor(condition, variableEtag(seen))) throw changed(seen.id);
};

/** Why a write found nothing to change. */
const goneOrChanged = async (store: ScopedVariables, id: string): Promise<Error> =>
  (await store.find(id)) === undefined ? new VariableNotFound(id) : changed(id);

/**
 * Creates the function that reads variables for runs.
 * @param scopedToRunsOf returns the variables visible to runs of workflows of this owner
 */
export const createReadVariables = (
  checkClaim: CheckClaim,
  scopedToRunsOf: (ownerId: string) => Promise<ScopedVariables>,
): ReadVariables =>
  async function readVariables(claim) {
    const { ownerId } = await requireClaim(checkClaim, claim);
    const { page } = await scopedToRunsOf(ownerId);
    return Object.fromEntries((await page(undefined, MAX_VARIABLES)).map(({ key, value }) => [key, value]));
  };

export const variableUseCases = (store: ScopedVariables, chooseOwner: ChooseOwner): VariableUseCases => ({
  listVariables: async (page) => {
    const source = ownedBy(page.projectId, { read: store.page, idOf: ({ id }: Variable) => id });
    const { items, nextCursor } = await readPage(source, page);
    return { variables: items, nextCursor };
  },
  getVariable: (id) => load(store, id),
  createVariable: async ({ key, value, projectId, id = uuidv7() }, user) => {
    check({ key, value });
    const ownerId = await chooseOwner(user, projectId);
    const bound = await boundReached(store.count, MAX_VARIABLES, ownerId);
    if (bound !== undefined) throw new TooManyVariables(bound);
    const now = new Date();
    const variable: Variable = { id, key, value, ownerId, createdAt: now, updatedAt: now };
    if ((await store.insert(variable)) === 'key-taken') throw new VariableKeyTaken(key);
    return variable;
  },
  replaceVariable: async (id, { key, value }, user, condition) => {
    check({ key, value });
    const seen = await loadOwned(store, id, user);
    checkCondition(seen, condition);
    const next: Variable = { ...seen, key, value, updatedAt: new Date() };
    const outcome = await store.replace(next, isConditional(condition) ? seen : undefined);
    if (outcome === 'key-taken') throw new VariableKeyTaken(key);
    if (outcome === 'gone') throw await goneOrChanged(store, id);
    return next;
  },
  deleteVariable: async (id, user, condition) => {
    const seen = await loadOwned(store, id, user);
    checkCondition(seen, condition);
    if (!(await store.remove(id, isConditional(condition) ? seen : undefined))) throw await goneOrChanged(store, id);
  },
});
