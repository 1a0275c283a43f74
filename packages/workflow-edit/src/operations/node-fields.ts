import { isEqualJson, isJsonObject, type CredentialReference, type Json } from '@weft/node-catalogue/definitions';
import { editDocument, shown, shownNodes, valueAt, type EditResult, type WorkflowDocument } from '../document';
import { EditError } from '../edit-error';
import type { PathEdit } from '../json/plan-changes';
import type { Path } from '../json/tree';

/** Fields of a node that are set as a whole. `name`, `position` and `parameters` have separate operations. */
export type NodeField =
  | 'alwaysOutputData'
  | 'approval'
  | 'continueOnFail'
  | 'credentials'
  | 'executeOnce'
  | 'maxTries'
  | 'notes'
  | 'notesInFlow'
  | 'onError'
  | 'retryOnFail'
  | 'typeVersion'
  | 'waitBetweenTries'
  | 'webhookId';

/** Sets a field of a node; undefined removes it. @throws EditError `UNKNOWN_NODE` */
export function setNodeField(
  document: WorkflowDocument,
  name: string,
  field: NodeField,
  value: Json | undefined,
): EditResult {
  return editDocument(document, `Set ${field} of ${shown(name)}`, setAt(document, name, [field], value));
}

/**
 * Sets a parameter of a node; undefined removes it.
 * @param path of the value below `parameters`, for example `['options', 'headers', 0, 'value']`
 * @throws EditError `UNKNOWN_NODE`; `INVALID_VALUE` for a path through a value that is not an object or array
 */
export function setParameter(
  document: WorkflowDocument,
  name: string,
  path: Path,
  value: Json | undefined,
): EditResult {
  if (path.length === 0 && !isJsonObject(value ?? {}))
    throw new EditError('INVALID_VALUE', 'The parameters of a node must be an object.');
  return editDocument(document, `Edit ${shown(name)}`, setAt(document, name, ['parameters', ...path], value));
}

/**
 * Moves an entry of an array below the parameters of a node to the place of another, which takes its place. Both keep
 * their text.
 * @param path of the array, for example `['rules', 'values']`
 * @throws EditError `UNKNOWN_NODE`; `INVALID_VALUE` if there is no such entry
 */
export function swapEntries(
  document: WorkflowDocument,
  name: string,
  path: Path,
  [one, other]: readonly [number, number],
): EditResult {
  const edits = document.indexesOf(name).flatMap((index): PathEdit[] => {
    const list = ['nodes', index, 'parameters', ...path];
    const [first, second] = [document.rawAt([...list, one]), document.rawAt([...list, other])];
    if (first === undefined || second === undefined)
      throw new EditError('INVALID_VALUE', `\`${path.join('.')}\` has no entry ${first === undefined ? one : other}.`);
    return [
      { kind: 'set', path: [...list, one], value: second },
      { kind: 'set', path: [...list, other], value: first },
    ];
  });
  return editDocument(document, `Edit ${shown(name)}`, one === other ? [] : edits);
}

/**
 * Links a credential of a type to nodes; undefined removes the links. Links of other types keep their text.
 * @throws EditError `UNKNOWN_NODE`; `INVALID_VALUE` if `credentials` is not an object
 */
export function setCredential(
  document: WorkflowDocument,
  names: readonly string[],
  type: string,
  credential: CredentialReference | undefined,
): EditResult {
  const value = credential === undefined ? undefined : { ...credential };
  const edits = names.flatMap((name) => setAt(document, name, ['credentials', type], value));
  return editDocument(document, `Set the credential of ${shownNodes(names)}`, edits);
}

/**
 * Names of the nodes that name the same credential of a type as a node does, with that node; only the node if it names
 * none.
 * @throws EditError `UNKNOWN_NODE`
 */
export function nodesWithCredentialOf(document: WorkflowDocument, name: string, type: string): readonly string[] {
  const credentialAt = (index: number): Json | undefined =>
    valueAt(document.json, ['nodes', index, 'credentials', type]);
  const [first = 0] = document.indexesOf(name);
  const wanted = credentialAt(first);
  if (wanted === undefined) return [name];
  const named = document.entries().flatMap((entry, index) => {
    const other = credentialAt(index);
    return other !== undefined && isEqualJson(other, wanted) ? [entry.name] : [];
  });
  return [...new Set(named)];
}

function setAt(document: WorkflowDocument, name: string, path: Path, value: Json | undefined): PathEdit[] {
  return document.indexesOf(name).map((index): PathEdit => {
    const whole = ['nodes', index, ...path];
    if (value === undefined) return { kind: 'remove', path: whole };
    checkWay(document, whole);
    return { kind: 'set', path: whole, value };
  });
}

/** Each step must find an object or array, or nothing yet; an array grows by one entry at a time. */
function checkWay(document: WorkflowDocument, path: Path): void {
  path.forEach((step, at) => {
    const holder = valueAt(document.json, path.slice(0, at));
    const way = path.slice(0, at).join('.');
    if (typeof step === 'number') {
      const count = holder === undefined ? 0 : Array.isArray(holder) ? holder.length : -1;
      if (count < 0) throw new EditError('INVALID_VALUE', `\`${way}\` is not an array, so it has no entry ${step}.`);
      if (!Number.isInteger(step) || step < 0 || step > count)
        throw new EditError('INVALID_VALUE', `\`${way}\` has ${count} entries, so entry ${step} cannot be set.`);
    } else if (holder !== undefined && !isJsonObject(holder))
      throw new EditError('INVALID_VALUE', `\`${way}\` is not an object, so it has no field ${shown(step)}.`);
    else if (step === '__proto__') throw new EditError('INVALID_VALUE', 'A field may not be called `__proto__`.');
  });
}

/** Moves nodes on the canvas. @param positions by name of the node: x and y, finite. @throws EditError */
export function moveNodes(
  document: WorkflowDocument,
  positions: ReadonlyMap<string, readonly [number, number]>,
): EditResult {
  const edits = [...positions].flatMap(([name, [x, y]]) => {
    if (!Number.isFinite(x) || !Number.isFinite(y))
      throw new EditError('INVALID_VALUE', 'A position must be two finite numbers.');
    return document.indexesOf(name).flatMap((index): PathEdit[] => {
      const path = ['nodes', index, 'position'];
      const isThere = isEqualJson(valueAt(document.json, path), [x, y]);
      return isThere ? [] : [{ kind: 'set', path, value: [x, y] }];
    });
  });
  return editDocument(document, `Move ${shownNodes([...positions.keys()])}`, edits);
}

/** Disables or enables nodes. An enabled node has no field `disabled`. @throws EditError `UNKNOWN_NODE` */
export function setDisabled(document: WorkflowDocument, names: readonly string[], isDisabled: boolean): EditResult {
  const edits = names.flatMap((name) => setAt(document, name, ['disabled'], isDisabled ? true : undefined));
  return editDocument(document, `${isDisabled ? 'Disable' : 'Enable'} ${shownNodes(names)}`, edits);
}
