import type { Json } from '@weft/node-catalogue/definitions';
import { editDocument, type EditResult, type WorkflowDocument } from '../document';
import { EditError } from '../edit-error';
import { checkName } from './names';

/** Sets the name of the workflow. @throws EditError `INVALID_NAME` */
export function setWorkflowName(document: WorkflowDocument, name: string): EditResult {
  checkName(name);
  return editDocument(document, 'Rename the workflow', [{ kind: 'set', path: ['name'], value: name }]);
}

/** Sets the project or user that a new workflow shall belong to; it is not part of the definition. */
export function setOwner(document: WorkflowDocument, ownerId: string): EditResult {
  return editDocument(document, 'Set the owner', [{ kind: 'set', path: ['projectId'], value: ownerId }]);
}

/** Sets a field of `settings`; undefined removes it. @throws EditError `INVALID_VALUE` */
export function setSetting(document: WorkflowDocument, key: string, value: Json | undefined): EditResult {
  if (key === '__proto__') throw new EditError('INVALID_VALUE', 'A setting may not be called `__proto__`.');
  const path = ['settings', key];
  return editDocument(document, `Set ${key}`, [
    value === undefined ? { kind: 'remove', path } : { kind: 'set', path, value },
  ]);
}
