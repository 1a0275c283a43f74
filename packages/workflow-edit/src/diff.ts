import { field, isEqualJson, isJsonObject, type Json, type JsonObject } from '@weft/node-catalogue/definitions';
import { valueAt, type WorkflowDocument } from './document';
import { EditError } from './edit-error';
import type { Path } from './json/tree';
import { allLinks, linkKey, type LinkRef } from './operations/links';
import { namesOf } from './operations/names';
import { renameNode } from './operations/rename-node';

/** A value that differs. An absent value is undefined. */
export interface ValueChange {
  readonly path: Path;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/** Differences of one node, by its name in the newer version. */
export interface NodeChange {
  readonly node: string;
  /** Fields other than name and position, `parameters` by path. */
  readonly changes: readonly ValueChange[];
}

/** The difference of two versions of a workflow, in terms of what a user edits. */
export interface WorkflowDiff {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly renamed: readonly { readonly from: string; readonly to: string }[];
  /** Nodes with another position. */
  readonly moved: readonly string[];
  readonly changed: readonly NodeChange[];
  readonly links: { readonly added: readonly LinkRef[]; readonly removed: readonly LinkRef[] };
  readonly settings: readonly ValueChange[];
  /** Nodes whose pinned items differ. */
  readonly pins: readonly string[];
  /** Present if the workflow has another name. */
  readonly name?: { readonly before: string; readonly after: string };
}

/**
 * Compares two versions. Nodes are matched by id, or by name if they have no common id. References to a renamed node
 * that only follow its new name are not a difference, nor are the order of keys, white space and forms of numbers.
 */
export function diffWorkflows(before: WorkflowDocument, after: WorkflowDocument): WorkflowDiff {
  const renamed = renamesBetween(before, after);
  const old = withRenames(before, renamed);
  const oldNodes = nodesOf(old);
  const newNodes = nodesOf(after);
  const common = [...newNodes.keys()].filter((name) => oldNodes.has(name));
  const [oldLinks, newLinks] = [linksOf(old), linksOf(after)];
  const [nameBefore, nameAfter] = [textOf(before.json['name']), textOf(after.json['name'])];
  return {
    added: [...newNodes.keys()].filter((name) => !oldNodes.has(name)),
    removed: [...oldNodes.keys()].filter((name) => !newNodes.has(name)),
    renamed,
    moved: common.filter((name) => !isEqualJson(oldNodes.get(name)?.['position'], newNodes.get(name)?.['position'])),
    changed: common.flatMap((node) => {
      const changes = changesBetween(withoutPlace(oldNodes.get(node)), withoutPlace(newNodes.get(node)));
      return changes.length === 0 ? [] : [{ node, changes }];
    }),
    links: {
      added: [...newLinks].flatMap(([key, link]) => (oldLinks.has(key) ? [] : [link])),
      removed: [...oldLinks].flatMap(([key, link]) => (newLinks.has(key) ? [] : [link])),
    },
    settings: changesBetween(before.json['settings'] ?? {}, after.json['settings'] ?? {}),
    pins: [...new Set([...oldNodes.keys(), ...newNodes.keys()])].filter(
      (name) => !isEqualJson(valueAt(old.json, ['pinData', name]), valueAt(after.json, ['pinData', name])),
    ),
    ...(nameBefore === nameAfter ? {} : { name: { before: nameBefore, after: nameAfter } }),
  };
}

/** Nodes with the same id and another name. An id that occurs twice identifies nothing. */
export function renamesBetween(
  before: WorkflowDocument,
  after: WorkflowDocument,
): { readonly from: string; readonly to: string }[] {
  const [old, next] = [idsOf(before), idsOf(after)];
  const [oldNames, newNames] = [namesOf(before), namesOf(after)];
  return [...old].flatMap(([id, from]) => {
    const to = next.get(id);
    if (to === undefined || to === from) return [];
    // Two nodes that swapped their names count as changed nodes.
    const isSwap = newNames.has(from) && oldNames.has(to);
    return isSwap ? [] : [{ from, to }];
  });
}

/** A document in which nodes have other names; renames that are not possible are left out. */
export function withRenames(
  document: WorkflowDocument,
  renames: readonly { readonly from: string; readonly to: string }[],
): WorkflowDocument {
  let current = document;
  let pending = [...renames];
  // A name may become free by another rename.
  for (let isProgress = true; isProgress && pending.length > 0;) {
    const failed: typeof pending = [];
    for (const rename of pending) {
      try {
        current = renameNode(current, rename.from, rename.to).document;
      } catch (error) {
        if (!(error instanceof EditError)) throw error;
        failed.push(rename);
      }
    }
    isProgress = failed.length < pending.length;
    pending = failed;
  }
  return current;
}

/** Paths at which two values differ: fields of objects, and entries of arrays of the same length. */
function changesBetween(before: Json | undefined, after: Json | undefined, path: Path = []): ValueChange[] {
  if (isEqualJson(before, after)) return [];
  if (isJsonObject(before) && isJsonObject(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) => changesBetween(field(before, key), field(after, key), [...path, key]));
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return before.flatMap((value, index) => changesBetween(value, after[index], [...path, index]));
  return [{ path, before, after }];
}

/** Nodes by name. */
export function nodesOf(document: WorkflowDocument): Map<string, JsonObject> {
  return new Map(document.entries().map(({ name, json }) => [name, json]));
}

function idsOf(document: WorkflowDocument): Map<string, string> {
  const seen = new Map<string, string | undefined>();
  for (const { name, json } of document.entries()) {
    const { id } = json;
    if (typeof id === 'string' && id !== '') seen.set(id, seen.has(id) && seen.get(id) !== name ? undefined : name);
  }
  return new Map([...seen].flatMap(([id, name]): [string, string][] => (name === undefined ? [] : [[id, name]])));
}

function linksOf(document: WorkflowDocument): Map<string, LinkRef> {
  return new Map(allLinks(document).map(({ link }) => [linkKey(link), link]));
}

function withoutPlace(node: JsonObject | undefined): JsonObject {
  const { id: _id, name: _name, position: _position, ...rest } = node ?? {};
  return rest;
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
