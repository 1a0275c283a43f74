import { WeftError, type Weft, type WorkflowSummary } from '@weft/client';
import { CommandError, EXIT } from '../session/exit-code';

/** A workflow that an argument names. */
export interface FoundWorkflow {
  readonly id: string;
  readonly name: string;
}

/** Entries of a list with `summary=true`: without definitions. */
export const isSummary = (entry: object): entry is WorkflowSummary => 'versionId' in entry && 'etag' in entry;

const MAX_LISTED = 20;

const byId = async (weft: Weft, id: string): Promise<FoundWorkflow | undefined> => {
  try {
    const { data } = await weft.call('getWorkflow', { path: { id } });
    return { id: data.id, name: data.name };
  } catch (error) {
    if (error instanceof WeftError && error.status === 404) return undefined;
    throw error;
  }
};

const listed = async (
  weft: Weft,
  query: { readonly key: string } | { readonly search: string },
): Promise<readonly WorkflowSummary[]> => {
  const found: WorkflowSummary[] = [];
  for await (const entry of weft.pages('listWorkflows', { query: { summary: true, ...query } }))
    if (isSummary(entry)) found.push(entry);
  return found;
};

/** Names of workflows may be ids of others; ids and keys come first. */
const MAX_ID = 100;

/**
 * Finds a workflow by id, by `key:…`, or by its exact name.
 *
 * @throws CommandError if there is none (4), or if several have the name (2).
 */
export const findWorkflow = async (weft: Weft, reference: string): Promise<FoundWorkflow> => {
  if (reference.startsWith('key:')) {
    const [keyed] = await listed(weft, { key: reference.slice('key:'.length) });
    if (keyed !== undefined) return keyed;
    throw new CommandError(`There is no workflow with the key "${reference.slice('key:'.length)}".`, EXIT.notFound);
  }
  const identified =
    reference.length <= MAX_ID && /^[\w-]{1,100}$/.test(reference) ? await byId(weft, reference) : undefined;
  if (identified !== undefined) return identified;
  const named = (await listed(weft, { search: reference })).filter(({ name }) => name === reference);
  const [only, other] = named;
  if (only === undefined) throw new CommandError(`There is no workflow "${reference}".`, EXIT.notFound);
  if (other === undefined) return only;
  const ids = named.slice(0, MAX_LISTED).map(({ id }) => id);
  throw new CommandError(
    `${named.length} workflows are called "${reference}". Use an id: ${ids.join(', ')}`,
    EXIT.usage,
  );
};
