import { MAX_FIELD_ERRORS, type WorkflowDefinition } from '@weft/node-catalogue';
import { routesOf } from '@weft/nodes/descriptors';
import { mayChange, type Principal } from '@weft/service-kit/auth';
import { Forbidden, InvalidRequest, Unavailable, type FieldError } from '@weft/service-kit/errors';
import { JSON_LIMITS, turnsOf } from '@weft/service-kit/json';
import type { ChooseOwner } from '@weft/service-kit/ownership';
import { PayloadTooLarge, toFieldErrors } from '../errors';
import type { ExamineDefinition } from './examine-definition';
import type { CredentialLink, GivenCredentials } from './link-credentials';
import { activationErrors, hasTrigger, MAX_ROUTES } from '../workflows/make-activation';
import { parseDefinition, type ParsedDefinition } from './parse-definition';
import { planStart } from '../versions/plan-start';
import type { ScopedWorkflows } from '../scoped-stores';
import { findTakenRoutes, type TakenRoute, type WantedRoutes } from '../routes/taken-routes';
import { readCompleted } from './type-version-defaults';
import { factsOf, type VersionFacts } from '../versions/version-facts';
import { makeVersion } from '../versions/versions';
import type { RouteEntry, Workflow } from '../workflows/workflow';

/** Definitions to check. */
export interface CheckRequest {
  readonly definitions: readonly Buffer[];
  /** Owner: a project or user; undefined: the caller. */
  readonly projectId: string | undefined;
  readonly credentials: GivenCredentials;
}

/** A route of a definition. */
export interface CheckedRoute extends Pick<RouteEntry, 'method' | 'path' | 'node'> {
  /** Undefined: free. Empty: taken by a workflow that the caller may not see. */
  readonly takenBy: string | undefined;
}

/** Outcome of a check. */
export interface CheckedDefinition {
  readonly name: string;
  /** As it would be stored; undefined if it cannot be stored. */
  readonly stored: { readonly text: string; readonly hash: string } | undefined;
  /** Keep it from being stored and activated or, without a trigger, started. */
  readonly errors: readonly FieldError[];
  readonly warnings: readonly FieldError[];
  readonly credentials: readonly CredentialLink[];
  readonly routes: readonly CheckedRoute[];
}

/**
 * Checks definitions as POST, PUT and activation do, and stores nothing. One with the id of a workflow that the user
 * may change is checked as its replacement.
 * @returns one outcome for each definition, in order
 * @throws InvalidRequest, PayloadTooLarge, Forbidden, ProjectNotFound, Unavailable
 */
export type CheckDefinitions = (request: CheckRequest, user: Principal) => Promise<readonly CheckedDefinition[]>;

export interface CheckDefinitionsDeps {
  readonly workflows: ScopedWorkflows;
  readonly chooseOwner: ChooseOwner;
  readonly examineDefinition: ExamineDefinition;
}

const MAX_DEFINITIONS = 100;
const MAX_GIVEN = 500;
/** Maximum webhook addresses of all definitions: each may need a query. */
const MAX_CHECKED_ROUTES = 2_000;
/** Below the maximum message size, with room for the other fields. */
const MAX_RESPONSE_BYTES = 14_000_000;
/** Definitions examined at the same time: their credentials are looked up concurrently. */
const TOGETHER = 8;

const checkSizes = ({ definitions, credentials }: CheckRequest): void => {
  const errors: FieldError[] = [];
  if (definitions.length > MAX_DEFINITIONS)
    errors.push({ field: 'workflows', message: `must have at most ${MAX_DEFINITIONS} definitions.` });
  if (credentials.size > MAX_GIVEN)
    errors.push({ field: 'credentials', message: `must have at most ${MAX_GIVEN} entries.` });
  if (errors.length > 0) throw new InvalidRequest('The definitions cannot be checked.', errors);
  if (definitions.reduce((sum, { length }) => sum + length, 0) > JSON_LIMITS.maxBytes)
    throw new PayloadTooLarge(`The definitions have more than ${JSON_LIMITS.maxBytes} bytes. Check fewer at once.`);
};

/** A definition before its routes are looked up. */
interface Examined {
  readonly checked: CheckedDefinition;
  readonly definition: WorkflowDefinition | undefined;
  readonly wanted: WantedRoutes | undefined;
}

const unreadable = (errors: readonly FieldError[]): Examined => ({
  checked: { name: '', stored: undefined, errors, warnings: [], credentials: [], routes: [] },
  definition: undefined,
  wanted: undefined,
});

/** The parsed definition, or the errors for which it cannot be stored. */
const readOne = async (given: Buffer, user: Principal): Promise<ParsedDefinition | Examined> => {
  try {
    return await parseDefinition(given, user.userId);
  } catch (error) {
    if (error instanceof InvalidRequest) return unreadable(error.fields);
    if (error instanceof PayloadTooLarge) return unreadable([{ field: '', message: error.message }]);
    throw error;
  }
};

/** The workflows that definitions with these ids would replace. */
const findReplaced = async (
  store: ScopedWorkflows,
  ids: readonly string[],
  user: Principal,
): Promise<ReadonlyMap<string, Workflow>> => {
  const summaries = ids.length === 0 ? [] : [...(await store.summaries(ids)).values()];
  const own = summaries.flatMap((found) =>
    found instanceof Forbidden || !mayChange(user, found.ownerId) ? [] : [found.id],
  );
  const found = await Promise.all(own.map((id) => store.find(id)));
  return new Map(found.flatMap((workflow) => (workflow === undefined ? [] : [[workflow.id, workflow]])));
};

/** Errors that prevent a start of a definition without a trigger. */
const startErrors = (facts: VersionFacts): readonly FieldError[] => {
  const planned = planStart(facts, { startNode: '', usePinData: true });
  return 'errors' in planned ? planned.errors : [];
};

const examine = async (
  parsed: ParsedDefinition,
  { examineDefinition }: Pick<CheckDefinitionsDeps, 'examineDefinition'>,
  { ownerId, replaced, given }: { ownerId: string; replaced: Workflow | undefined; given: GivenCredentials },
): Promise<Examined> => {
  const target = { ownerId: replaced?.ownerId ?? ownerId, workflowId: replaced?.id ?? '' };
  const examined = await examineDefinition(parsed, { ...target, given });
  if (examined.links.some(({ found }) => found.how === 'unchecked'))
    throw new Unavailable('The credentials service is of an earlier release. Try again after the update.');
  const version = makeVersion(examined, target, new Date());
  const definition = readCompleted(examined.value, version);
  const errors = hasTrigger(definition)
    ? toFieldErrors(definition, activationErrors(definition))
    : startErrors(factsOf(definition, version.definition.length));
  const routes = routesOf(definition, target.workflowId).slice(0, MAX_ROUTES);
  return {
    checked: {
      name: examined.name,
      stored: { text: version.definition, hash: version.hash ?? '' },
      errors: [...errors, ...examined.refusals.map(({ field, message }) => ({ field, message }))],
      warnings: examined.warnings,
      credentials: examined.links,
      routes: [],
    },
    definition,
    wanted: { ...target, routes, ownKeys: new Set(replaced?.activation?.routes.map(({ key }) => key)) },
  };
};

/** Adds the routes of a definition, and the errors for those that are taken. */
const withRoutes = (
  { checked, definition, wanted }: Examined,
  taken: ReadonlyMap<WantedRoutes, readonly TakenRoute[]>,
): CheckedDefinition => {
  if (definition === undefined || wanted === undefined) return checked;
  const holders = new Map((taken.get(wanted) ?? []).map((one) => [one.route, one]));
  const errors = [...holders.values()].map(({ route, message }) => ({
    node: route.node,
    field: 'parameters.path',
    message,
  }));
  return {
    ...checked,
    errors: [...checked.errors, ...toFieldErrors(definition, errors)].slice(0, MAX_FIELD_ERRORS),
    routes: wanted.routes.map((route) => ({
      method: route.method,
      path: route.path,
      node: route.node,
      takenBy: holders.get(route)?.holderId,
    })),
  };
};

const isExamined = (one: ParsedDefinition | Examined): one is Examined => 'checked' in one;

export const createCheckDefinitions = (deps: CheckDefinitionsDeps): CheckDefinitions => {
  const { workflows, chooseOwner } = deps;
  return async function checkDefinitions(request, user) {
    checkSizes(request);
    const ownerId = await chooseOwner(user, request.projectId);
    const takeTurn = turnsOf({ ownerId: user.userId, workflowId: '' });
    const read: (ParsedDefinition | Examined)[] = [];
    for (const given of request.definitions) {
      await takeTurn();
      read.push(await readOne(given, user));
    }
    const ids = read.flatMap((one) => ('sentId' in one && one.sentId !== undefined ? [one.sentId] : []));
    const replaced = await findReplaced(workflows, [...new Set(ids)], user);
    const examineOne = async (one: ParsedDefinition | Examined): Promise<Examined> => {
      if (isExamined(one)) return one;
      await takeTurn();
      return examine(one, deps, { ownerId, replaced: replaced.get(one.sentId ?? ''), given: request.credentials });
    };
    const examined: Examined[] = [];
    for (let from = 0; from < read.length; from += TOGETHER)
      examined.push(...(await Promise.all(read.slice(from, from + TOGETHER).map(examineOne))));
    const wanted = examined.flatMap((one) => one.wanted ?? []);
    if (wanted.reduce((sum, { routes }) => sum + routes.length, 0) > MAX_CHECKED_ROUTES)
      throw new InvalidRequest('The definitions cannot be checked together.', [
        { field: 'workflows', message: `have more than ${MAX_CHECKED_ROUTES} webhook addresses. Check fewer at once.` },
      ]);
    const taken = await findTakenRoutes(workflows, wanted);
    const checked = examined.map((one) => withRoutes(one, taken));
    const bytes = checked.reduce((sum, { stored }) => sum + Buffer.byteLength(stored?.text ?? ''), 0);
    if (bytes > MAX_RESPONSE_BYTES)
      throw new PayloadTooLarge('The checked definitions do not fit into one message. Check fewer at once.');
    return checked;
  };
};
