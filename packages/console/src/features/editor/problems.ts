import type { NodeType } from '@weft/client';
import { attachmentErrors } from '@weft/nodes/definitions';
import { type FieldPlace, placeOfField, type WorkflowDocument } from '@weft/workflow-edit';
import { kindTable } from './operations/kind-table';
import type { Remark } from './stored-workflow';

/** Something that the server found in the workflow when it was saved, or that activation would refuse. */
export interface Problem extends FieldPlace {
  /** `error`: it was not saved; `warning`: it was. */
  readonly tone: 'error' | 'warning';
  readonly message: string;
}

/** Shown at most; a workflow of 2,000 nodes may have one for each. */
const MAX_PROBLEMS = 100;

/** Places remarks of the server. @param document that was sent */
export const problemsOf = (
  document: WorkflowDocument,
  tone: Problem['tone'],
  remarks: readonly Remark[],
): readonly Problem[] =>
  remarks.slice(0, MAX_PROBLEMS).map(({ field, message }) => ({ ...placeOfField(document, field), tone, message }));

/** Missing, superfluous and unfit sub-nodes of the draft: it can be saved with them, but not activated. */
export const subNodeProblems = (
  { definition }: WorkflowDocument,
  kinds: ReadonlyMap<string, NodeType>,
): readonly Problem[] =>
  attachmentErrors(definition, kindTable(kinds))
    .slice(0, MAX_PROBLEMS)
    .map(({ node, message }) => ({ node, path: [], tone: 'warning', message }));

/** Both, with each message once. */
export const allProblems = (found: readonly Problem[], own: readonly Problem[]): readonly Problem[] => {
  const known = new Set(found.map(({ message }) => message));
  const added = own.filter(({ message }) => !known.has(message));
  return added.length === 0 ? found : [...found, ...added];
};
