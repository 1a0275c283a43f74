import { MAX_NAME_LENGTH } from '@weft/node-catalogue/definitions';
import { shown, type WorkflowDocument } from '../document';
import { EditError } from '../edit-error';

/** Checks the name of a node or workflow. @throws EditError `INVALID_NAME` */
export function checkName(name: string): void {
  if (name.trim() === '') throw new EditError('INVALID_NAME', 'A name may not be empty.');
  if (name.length > MAX_NAME_LENGTH)
    throw new EditError('INVALID_NAME', `A name may have ${MAX_NAME_LENGTH} characters at most.`);
  if (!name.isWellFormed())
    throw new EditError('INVALID_NAME', 'The name contains half of a character (a lone surrogate).');
  if (name === '__proto__') throw new EditError('INVALID_NAME', 'A node may not be called `__proto__`.');
}

/** Checks the name of a new node. @throws EditError `INVALID_NAME`, `NAME_TAKEN` */
export function checkNewName(document: WorkflowDocument, name: string): void {
  checkName(name);
  if (namesOf(document).has(name)) throw new EditError('NAME_TAKEN', `Another node is called ${shown(name)}.`);
}

/** Names of all nodes. */
export function namesOf(document: WorkflowDocument): Set<string> {
  return new Set(document.entries().map(({ name }) => name));
}

/**
 * A name that is not taken: the wanted one or, as in n8n, one with a number at its end. `Set` becomes `Set1`, `Set1`
 * becomes `Set2`.
 */
export function freeName(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  const digits = /\d{1,9}$/.exec(wanted)?.[0] ?? '';
  const stem = wanted.slice(0, wanted.length - digits.length).slice(0, MAX_NAME_LENGTH - 12);
  for (let number = digits === '' ? 1 : Number(digits) + 1; ; number += 1)
    if (!taken.has(`${stem}${number}`)) return `${stem}${number}`;
}
