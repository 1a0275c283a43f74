import { type FieldPlace, placeOfField, type WorkflowDocument } from '@weft/workflow-edit';
import type { Remark } from './stored-workflow';

/** Something that the server found in the workflow when it was saved. */
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
