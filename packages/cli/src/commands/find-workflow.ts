import { WeftError, type Weft } from '@weft/client';
import { listSummaries } from '../files/list-summaries';
import { CommandError, EXIT } from '../session/exit-code';

/** A workflow that an argument names. */
export interface FoundWorkflow {
  readonly id: string;
  readonly name: string;
}

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

/**
 * Finds a workflow by id, by `key:…`, or by its exact name. An id comes before a name that is equal to it.
 *
 * @throws CommandError if no workflow matches (exit code 4), or if several have the name (2).
 */
export const findWorkflow = async (weft: Weft, reference: string): Promise<FoundWorkflow> => {
  if (reference.startsWith('key:')) {
    const key = reference.slice('key:'.length);
    const [keyed] = await listSummaries(weft, { key });
    if (keyed !== undefined) return keyed;
    throw new CommandError(`There is no workflow with the key "${key}".`, EXIT.notFound);
  }
  const identified = /^[\w-]{1,100}$/.test(reference) ? await byId(weft, reference) : undefined;
  if (identified !== undefined) return identified;
  const named = (await listSummaries(weft, { search: reference })).filter(({ name }) => name === reference);
  const [only, other] = named;
  if (only === undefined) throw new CommandError(`There is no workflow "${reference}".`, EXIT.notFound);
  if (other === undefined) return only;
  const ids = named.slice(0, MAX_LISTED).map(({ id }) => id);
  throw new CommandError(
    `${named.length} workflows are called "${reference}". Use an id: ${ids.join(', ')}`,
    EXIT.usage,
  );
};
