import { isObject, type Step, type WorkflowDocument } from '@weft/apply';
import { WeftError, type AnyResponse, type Weft } from '@weft/client';
import { EXIT, exitCodeOf, messageOf, type ExitCode } from '../session/exit-code';
import { CONCURRENT, inParallel } from './in-parallel';
import { dataOf } from './read-definitions';

/** Outcome of a step. */
export interface StepResult {
  readonly action: 'created' | 'updated' | 'deleted' | 'activated' | 'deactivated' | 'failed' | 'not attempted';
  readonly key: string;
  /** Empty for a workflow that was not created. */
  readonly id: string;
  readonly name: string;
  readonly file?: string;
  readonly message?: string;
  readonly exitCode: ExitCode;
}

const MAX_SOURCE = 500;

const DONE = {
  create: 'created',
  replace: 'updated',
  delete: 'deleted',
  activate: 'activated',
  deactivate: 'deactivated',
} as const;

const management = (document: WorkflowDocument, set: string) => ({
  key: document.key,
  managedBy: 'cli',
  source: document.file.slice(-MAX_SOURCE),
  ...(set === '' ? {} : { set }),
});

const firstWarning = ({ body }: AnyResponse): string => {
  const warnings = isObject(body) ? body['warnings'] : undefined;
  const [first] = Array.isArray(warnings) ? warnings : [];
  return isObject(first) ? String(first['message']) : 'It cannot run.';
};

/** The workflow that a step changes, as output shows it. */
export const targetOf = (step: Step): Pick<StepResult, 'key' | 'id' | 'name'> => ({
  key: 'document' in step ? step.document.key : (step.workflow.key ?? ''),
  id: 'workflow' in step ? step.workflow.id : '',
  name: 'document' in step ? step.document.name : step.workflow.name,
});

/**
 * Performs steps in their order: those of one kind at the same time, the next kind after them. After a failure it
 * continues, except after 401, with which every step would fail.
 *
 * @param report called for each result as it is known.
 */
export const performSteps = async (
  weft: Weft,
  steps: readonly Step[],
  projectId: string | undefined,
  signal: AbortSignal,
  report: (result: StepResult) => void,
): Promise<readonly StepResult[]> => {
  /** Etags after the writes of this run, by workflow. */
  const etags = new Map<string, string>();
  const failed = new Set<string>();
  let isStopped = false;

  const send = async (step: Step): Promise<AnyResponse> => {
    if (step.action === 'create') {
      const { document, definition, active, set } = step;
      const body = { ...definition, active, ...(projectId === undefined ? {} : { projectId }) };
      return weft.request('POST', '/workflows', { query: management(document, set), body });
    }
    const { id, etag } = step.workflow;
    const path = { id };
    const headers = { 'if-match': etags.get(id) ?? etag };
    if (step.action === 'replace') {
      const query = management(step.document, step.set);
      return weft.request('PUT', '/workflows/{id}', { path, query, body: step.definition, headers });
    }
    if (step.action === 'delete') return weft.request('DELETE', '/workflows/{id}', { path, headers });
    return weft.request('POST', `/workflows/{id}/${step.action}`, { path, headers });
  };

  const perform = async (step: Step): Promise<StepResult> => {
    const facts = { ...targetOf(step), ...('document' in step ? { file: step.document.file } : {}) };
    if (isStopped || signal.aborted) return { ...facts, action: 'not attempted', exitCode: EXIT.unexpected };
    if (failed.has(facts.id))
      return { ...facts, action: 'not attempted', message: 'An earlier change of it failed.', exitCode: EXIT.success };
    try {
      const response = await send(step);
      const etag = response.headers.get('etag');
      if (etag !== null && facts.id !== '') etags.set(facts.id, etag);
      const data = dataOf(response);
      const id = typeof data['id'] === 'string' ? data['id'] : facts.id;
      if (step.action === 'create' && step.active && data['active'] === false) {
        const message = `Stored, but not activated: ${firstWarning(response)}`;
        return { ...facts, id, action: 'created', message, exitCode: EXIT.usage };
      }
      return { ...facts, id, action: DONE[step.action], exitCode: EXIT.success };
    } catch (error) {
      if (facts.id !== '') failed.add(facts.id);
      if (error instanceof WeftError && error.status === 401) isStopped = true;
      // A deletion that another command made is what was wanted.
      if (step.action === 'delete' && error instanceof WeftError && error.status === 404)
        return { ...facts, action: 'deleted', exitCode: EXIT.success };
      return { ...facts, action: 'failed', message: messageOf(error), exitCode: exitCodeOf(error) };
    }
  };

  const results: StepResult[] = [];
  for (const action of [...new Set(steps.map((step) => step.action))]) {
    const some = steps.filter((step) => step.action === action);
    results.push(
      ...(await inParallel(some, CONCURRENT, async (step) => {
        const result = await perform(step);
        report(result);
        return result;
      })),
    );
  }
  return results;
};
