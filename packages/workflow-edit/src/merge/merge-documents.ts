import { isEqualJson, type Json, type JsonObject } from '@weft/node-catalogue/definitions';
import { nodesOf, renamesBetween, withRenames } from '../diff';
import { editDocument, valueAt, type WorkflowDocument } from '../document';
import type { PathEdit } from '../json/plan-changes';
import type { Path } from '../json/tree';
import type { EditValue } from '../json/value';
import { allLinks, linkEdits, linkKey, linkKeys, unlinkEdits, type LinkRef } from '../operations/links';
import { freeName } from '../operations/names';
import { mergeValues, type ThreeValues } from './merge-values';

/** Something that both sides changed in different ways. */
export interface MergeConflict extends ThreeValues {
  /**
   * - `value`: a field of a node or of the workflow
   * - `removed`: one side removed a node that the other one changed or linked
   */
  readonly kind: 'value' | 'removed';
  /** The node, by its name in the result; absent for fields of the workflow. */
  readonly node?: string;
  /** Below the node, or below the workflow. Empty for a node that was removed. */
  readonly path: Path;
}

/** The side whose value counts. */
export type Side = 'mine' | 'theirs';

/** The result of a merge. */
export interface MergeResult {
  /** Theirs, with my changes. */
  readonly document: WorkflowDocument;
  /** All overlaps, whichever side was chosen. Empty if the merge is certain. */
  readonly conflicts: readonly MergeConflict[];
}

/**
 * Merges two versions that began as `base`: my changes are applied to the text of theirs, so what I did not change has
 * their bytes. Nodes are matched by id; a rename on one side is followed by references on the other. Nodes that both
 * added under one name both stay, mine with a number.
 * @param choose the side that counts for a conflict; theirs by default, and for a removed node the side that has it
 */
export function mergeWorkflows(
  base: WorkflowDocument,
  mine: WorkflowDocument,
  theirs: WorkflowDocument,
  choose?: (conflict: MergeConflict) => Side,
): MergeResult {
  return new Merge(align(base, mine, theirs), choose).run();
}

interface Versions {
  readonly base: WorkflowDocument;
  readonly mine: WorkflowDocument;
  readonly theirs: WorkflowDocument;
  readonly conflicts: readonly MergeConflict[];
}

/** Gives every node one name in all three versions. */
function align(base: WorkflowDocument, mine: WorkflowDocument, theirs: WorkflowDocument): Versions {
  const [myRenames, theirRenames] = [renamesBetween(base, mine), renamesBetween(base, theirs)];
  const theirNames = new Map(theirRenames.map(({ from, to }) => [from, to]));
  const both = myRenames.filter(({ from, to }) => theirNames.has(from) && theirNames.get(from) !== to);
  const conflicts = both.map(({ from, to }): MergeConflict => {
    const name = theirNames.get(from) ?? from;
    return { kind: 'value', node: name, path: ['name'], base: from, mine: to, theirs: name };
  });
  const isMineAlone = ({ from }: { readonly from: string }): boolean => !theirNames.has(from);
  const newTheirs = withRenames(theirs, myRenames.filter(isMineAlone));
  const newBase = withRenames(withRenames(base, myRenames.filter(isMineAlone)), theirRenames);
  const backToTheirs = both.map(({ from, to }) => ({ from: to, to: theirNames.get(from) ?? from }));
  const myNames = new Map(myRenames.map(({ from, to }) => [from, to]));
  const newMine = withRenames(
    withRenames(mine, backToTheirs),
    theirRenames.filter(({ from }) => !myNames.has(from)),
  );
  return { base: newBase, mine: withoutCollisions(newBase, newMine, newTheirs), theirs: newTheirs, conflicts };
}

/** Renames nodes that I added under a name that they gave to another node. */
function withoutCollisions(base: WorkflowDocument, mine: WorkflowDocument, theirs: WorkflowDocument): WorkflowDocument {
  const [inBase, inMine, inTheirs] = [nodesOf(base), nodesOf(mine), nodesOf(theirs)];
  const taken = new Set([...inMine.keys(), ...inTheirs.keys()]);
  const renames = [...inMine].flatMap(([name, node]) => {
    const other = inTheirs.get(name);
    if (inBase.has(name) || other === undefined || (other['id'] === node['id'] && node['id'] !== undefined)) return [];
    const to = freeName(name, taken);
    taken.add(to);
    return [{ from: name, to }];
  });
  return withRenames(mine, renames);
}

const HANDLED = new Set(['nodes', 'connections', 'pinData']);

class Merge {
  readonly #conflicts: MergeConflict[] = [];
  readonly #edits: PathEdit[] = [];
  readonly #base: ReadonlyMap<string, JsonObject>;
  readonly #mine: ReadonlyMap<string, JsonObject>;
  readonly #theirs: ReadonlyMap<string, JsonObject>;
  readonly #baseLinks: ReadonlySet<string>;
  /** Nodes of theirs that are not in the result. */
  readonly #removed = new Set<string>();

  constructor(
    private readonly versions: Versions,
    private readonly choose: ((conflict: MergeConflict) => Side) | undefined,
  ) {
    this.#base = nodesOf(versions.base);
    this.#mine = nodesOf(versions.mine);
    this.#theirs = nodesOf(versions.theirs);
    this.#baseLinks = linkKeys(versions.base);
  }

  run(): MergeResult {
    const { theirs, conflicts } = this.versions;
    const renames = conflicts
      .filter((conflict) => this.#settle(conflict) === 'mine')
      .map(({ node = '', mine }) => ({ from: node, to: String(mine) }));
    for (const name of this.#base.keys()) this.#mergeNode(name);
    for (const name of this.#mine.keys()) if (!this.#base.has(name)) this.#mergeAdded(name);
    this.#mergeFields();
    const nodesMerged = editDocument(theirs, 'Merge', this.#edits).document;
    const linksMerged = this.#mergeLinks(nodesMerged);
    return { document: withRenames(linksMerged, renames), conflicts: this.#conflicts };
  }

  /** Reports a conflict. Returns the side that counts. */
  #settle(conflict: MergeConflict, preferred: Side = 'theirs'): Side {
    this.#conflicts.push(conflict);
    return this.choose === undefined ? preferred : this.choose(conflict);
  }

  #mergeNode(name: string): void {
    const [base, mine, theirs] = [this.#base.get(name), this.#mine.get(name), this.#theirs.get(name)];
    const removal: MergeConflict = { kind: 'removed', node: name, path: [], base, mine, theirs };
    if (mine !== undefined && theirs !== undefined) this.#mergeInto(name, { base, mine, theirs });
    else if (mine === undefined && theirs !== undefined) {
      const isChanged = !isEqualJson(base, theirs) || this.#hasNewLinks(name, this.versions.theirs);
      if (!isChanged || this.#settle(removal) === 'mine') this.#remove(name);
    } else if (mine !== undefined) {
      const isChanged = !isEqualJson(base, mine) || this.#hasNewLinks(name, this.versions.mine);
      if (isChanged && this.#settle(removal, 'mine') === 'mine') this.#add(name);
    }
  }

  #mergeAdded(name: string): void {
    const [mine, theirs] = [this.#mine.get(name), this.#theirs.get(name)];
    if (theirs === undefined) this.#add(name);
    else this.#mergeInto(name, { base: undefined, mine, theirs });
  }

  #mergeInto(name: string, values: ThreeValues): void {
    const { edits, conflicts } = mergeValues(values);
    const chosen = conflicts.filter((conflict) => this.#settle({ kind: 'value', node: name, ...conflict }) === 'mine');
    const changes = [...edits, ...chosen.map(({ path, mine }) => ({ path, value: mine }))];
    const [from] = this.versions.mine.indexesOf(name);
    for (const index of this.versions.theirs.indexesOf(name))
      for (const { path, value } of changes)
        this.#set(['nodes', index, ...path], value, this.versions.mine.rawAt(['nodes', from ?? 0, ...path]));
    this.#mergePins(name);
  }

  #set(path: Path, value: Json | undefined, raw: EditValue | undefined): void {
    if (value === undefined) this.#edits.push({ kind: 'remove', path });
    else this.#edits.push({ kind: 'set', path, value: raw ?? value });
  }

  #mergePins(name: string): void {
    const at = ({ json }: WorkflowDocument): Json | undefined => valueAt(json, ['pinData', name]);
    const { base, mine, theirs } = this.versions;
    const values = { base: at(base), mine: at(mine), theirs: at(theirs) };
    if (isEqualJson(values.mine, values.base) || isEqualJson(values.mine, values.theirs)) return;
    const path = ['pinData', name];
    const isOverlap = !isEqualJson(values.theirs, values.base);
    if (isOverlap && this.#settle({ kind: 'value', path, ...values }) === 'theirs') return;
    this.#set(path, values.mine, mine.rawAt(path));
  }

  #add(name: string): void {
    const { mine } = this.versions;
    for (const index of mine.indexesOf(name)) {
      const value = mine.rawAt(['nodes', index]);
      if (value !== undefined) this.#edits.push({ kind: 'append', path: ['nodes'], value });
    }
    const pins = mine.rawAt(['pinData', name]);
    if (pins !== undefined) this.#edits.push({ kind: 'set', path: ['pinData', name], value: pins });
  }

  #remove(name: string): void {
    this.#removed.add(name);
    for (const index of this.versions.theirs.indexesOf(name))
      this.#edits.push({ kind: 'remove', path: ['nodes', index] });
    this.#edits.push({ kind: 'remove', path: ['pinData', name] });
  }

  /** True if a side links a node that the base does not link in this way. */
  #hasNewLinks(name: string, side: WorkflowDocument): boolean {
    return allLinks(side).some(
      ({ link }) => (link.from === name || link.to === name) && !this.#baseLinks.has(linkKey(link)),
    );
  }

  /** Fields of the workflow other than nodes, links and pins. */
  #mergeFields(): void {
    const { base, mine, theirs } = this.versions;
    const rest = ({ json }: WorkflowDocument): JsonObject =>
      Object.fromEntries(Object.entries(json).filter(([key]) => !HANDLED.has(key)));
    const { edits, conflicts } = mergeValues({ base: rest(base), mine: rest(mine), theirs: rest(theirs) });
    for (const { path, value } of edits) this.#set(path, value, mine.rawAt(path));
    for (const conflict of conflicts)
      if (this.#settle({ kind: 'value', ...conflict }) === 'mine')
        this.#set(conflict.path, conflict.mine, mine.rawAt(conflict.path));
  }

  /** Links are a set: what I added is added, what I removed is removed. */
  #mergeLinks(document: WorkflowDocument): WorkflowDocument {
    const [base, mine] = [this.#baseLinks, linkKeys(this.versions.mine)];
    const names = new Set(nodesOf(document).keys());
    const isLost = ({ from, to }: LinkRef): boolean => this.#removed.has(from) || this.#removed.has(to);
    // A node that I removed and that stays, because they changed it, keeps its links.
    const isCut = ({ from, to }: LinkRef): boolean => this.#mine.has(from) && this.#mine.has(to);
    const cut = editDocument(
      document,
      '',
      unlinkEdits(
        document,
        (link) => isLost(link) || (isCut(link) && base.has(linkKey(link)) && !mine.has(linkKey(link))),
      ),
    ).document;
    const present = linkKeys(cut);
    const added = allLinks(this.versions.mine)
      .map(({ link }) => link)
      .filter((link) => !base.has(linkKey(link)) || this.#isBack(link))
      .filter((link) => !present.has(linkKey(link)) && names.has(link.from) && names.has(link.to));
    return editDocument(cut, '', linkEdits(cut, added)).document;
  }

  /** True for a link of a node that they removed and that stays, because I changed it. */
  #isBack({ from, to }: LinkRef): boolean {
    return [from, to].some((name) => this.#mine.has(name) && !this.#theirs.has(name));
  }
}
