import { isEqualJson, isJsonObject, type Json } from '@weft/node-catalogue/definitions';
import type { Node } from 'jsonc-parser';
import { applyChanges, type TextChange } from '../text-changes';
import { escapeForLiteral, literalOffsets } from './string-offsets';
import { gapBetween, indentInside, indentOfLine, styleOf } from './style';
import { keyOf, membersOf, plainValueOf, valueNodeOf, type Path } from './tree';
import { hasRaw, isList, isRecord, RawJson, writeMember, writeValue, type EditValue, type Style } from './value';

/** One edit of a JSON text. Several are applied at once; their paths are those of the text before. */
export type PathEdit =
  /**
   * Replaces a value, or creates it with the objects that lead to it, some of which are null in exports. Only what
   * differs is rewritten.
   */
  | { readonly kind: 'set'; readonly path: Path; readonly value: EditValue }
  | { readonly kind: 'remove'; readonly path: Path }
  /** Adds an entry to the end of an array, which is created if it does not exist. */
  | { readonly kind: 'append'; readonly path: Path; readonly value: EditValue }
  /** Changes the key of a member. */
  | { readonly kind: 'key'; readonly path: Path; readonly key: string }
  /** Changes parts of a string; offsets are those of its characters. */
  | { readonly kind: 'text'; readonly path: Path; readonly changes: readonly TextChange[] };

/** The edits of one place and of everything below it. */
class Patch {
  value: EditValue | undefined;
  isRemoved = false;
  key: string | undefined;
  readonly appended: EditValue[] = [];
  readonly text: TextChange[] = [];
  readonly below = new Map<string | number, Patch>();

  /** True if the place exists afterwards even if it does not exist yet. */
  get creates(): boolean {
    if (this.value !== undefined) return true;
    return !this.isRemoved && (this.appended.length > 0 || [...this.below.values()].some(({ creates }) => creates));
  }

  at(step: string | number): Patch {
    const known = this.below.get(step);
    if (known !== undefined) return known;
    const made = new Patch();
    this.below.set(step, made);
    return made;
  }
}

/** The changes of the text that edits amount to. Only `set` and `append` create what does not exist. */
export function planChanges(text: string, root: Node, edits: readonly PathEdit[]): TextChange[] {
  const patch = new Patch();
  for (const edit of edits) {
    const target = edit.path.reduce((place, step) => place.at(step), patch);
    if (edit.kind === 'set') target.value = edit.value;
    else if (edit.kind === 'append') target.appended.push(edit.value);
    else if (edit.kind === 'key') target.key = edit.key;
    else if (edit.kind === 'text') target.text.push(...edit.changes);
    else target.isRemoved = true;
  }
  const planner = new Planner(text, styleOf(text, root));
  planner.patch(root, patch);
  return planner.changes;
}

class Planner {
  readonly changes: TextChange[] = [];

  constructor(
    private readonly text: string,
    private readonly style: Style,
  ) {}

  patch(node: Node, patch: Patch): void {
    if (patch.value !== undefined) this.#replace(node, wholeValue(patch));
    else if (patch.text.length > 0) this.#editString(node, patch.text);
    else if (node.type === 'object' || node.type === 'array') this.#patchContainer(node, patch);
    else if (patch.creates) this.#write(node, wholeValue(patch));
  }

  #replace(node: Node, value: EditValue): void {
    if (value instanceof RawJson || (!isList(value) && !isRecord(value))) {
      if (!hasRaw(value) && isEqualJson(jsonOf(node), jsonValue(value))) return;
      this.#write(node, value);
      return;
    }
    const patch = new Patch();
    if (isList(value) && node.type === 'array') {
      const count = node.children?.length ?? 0;
      value.slice(0, count).forEach((entry, index) => (patch.at(index).value = entry));
      patch.appended.push(...value.slice(count));
      for (let index = value.length; index < count; index += 1) patch.at(index).isRemoved = true;
    } else if (isRecord(value) && node.type === 'object') {
      for (const member of node.children ?? [])
        if (!Object.hasOwn(value, keyOf(member))) patch.at(keyOf(member)).isRemoved = true;
      for (const [key, entry] of Object.entries(value)) patch.at(key).value = entry;
    } else {
      this.#write(node, value);
      return;
    }
    this.#patchContainer(node, patch);
  }

  #write(node: Node, value: EditValue): void {
    const content = writeValue(value, this.style, indentOfLine(this.text, node.offset));
    if (this.text.slice(node.offset, node.offset + node.length) !== content)
      this.changes.push({ offset: node.offset, length: node.length, content });
  }

  #editString(node: Node, changes: readonly TextChange[]): void {
    if (node.type !== 'string') return;
    const offsets = literalOffsets(this.text.slice(node.offset, node.offset + node.length));
    for (const { offset, length, content } of changes) {
      const start = offsets[offset];
      const end = offsets[offset + length];
      if (start === undefined || end === undefined) continue;
      this.changes.push({ offset: node.offset + start, length: end - start, content: escapeForLiteral(content) });
    }
  }

  #patchContainer(node: Node, patch: Patch): void {
    const entries = node.children ?? [];
    const removed = new Set<Node>();
    const added: ((style: Style, indent: string) => string)[] = [];
    for (const [step, below] of patch.below) {
      const found = typeof step === 'number' ? entries.slice(step, step + 1) : membersOf(node, step);
      const last = found.at(-1);
      if (below.isRemoved && below.value === undefined) for (const entry of found) removed.add(entry);
      else if (last === undefined) {
        if (!below.creates) continue;
        const value = wholeValue(below);
        if (typeof step === 'number') added.push((style, indent) => writeValue(value, style, indent));
        else added.push((style, indent) => writeMember(step, value, style, indent));
      } else {
        const value = typeof step === 'number' ? last : valueNodeOf(last);
        if (value !== undefined) this.patch(value, below);
        if (typeof step === 'string' && below.key !== undefined)
          for (const member of found) this.#rename(member, below.key);
      }
    }
    for (const value of patch.appended) added.push((style, indent) => writeValue(value, style, indent));
    this.#splice(node, removed, added);
  }

  #rename(member: Node, key: string): void {
    const [name] = member.children ?? [];
    if (name !== undefined)
      this.changes.push({ offset: name.offset, length: name.length, content: JSON.stringify(key) });
  }

  /** Takes entries out of a container, and adds others at its end. */
  #splice(node: Node, removed: ReadonlySet<Node>, added: readonly ((style: Style, indent: string) => string)[]): void {
    const entries = node.children ?? [];
    if (entries.every((entry) => removed.has(entry))) {
      if (removed.size > 0 || added.length > 0) this.#fill(node, added);
      return;
    }
    let isLeading = true;
    entries.forEach((entry, index) => {
      if (!removed.has(entry)) isLeading = false;
      else if (isLeading) this.#cut(entry.offset, entries[index + 1]?.offset ?? entry.offset);
      else {
        const previous = entries[index - 1] ?? entry;
        this.#cut(previous.offset + previous.length, entry.offset + entry.length);
      }
    });
    const last = entries.at(-1);
    if (last === undefined || added.length === 0) return;
    const inner = indentInside(this.text, node);
    const style = inner === undefined ? { ...this.style, unit: undefined } : this.style;
    const gap = inner === undefined ? gapBetween(this.text, node) : this.style.lineEnd + inner;
    const content = added.map((write) => `,${gap}${write(style, inner ?? '')}`).join('');
    this.changes.push({ offset: last.offset + last.length, length: 0, content });
  }

  /** Writes all entries of a container. */
  #fill(node: Node, added: readonly ((style: Style, indent: string) => string)[]): void {
    const { unit, lineEnd } = this.style;
    const outer = indentOfLine(this.text, node.offset);
    const inner = outer + (unit ?? '');
    const entries = added.map((write) => write(this.style, inner));
    const content =
      unit === undefined || entries.length === 0
        ? entries.join(',')
        : `${lineEnd}${entries.map((entry) => inner + entry).join(`,${lineEnd}`)}${lineEnd}${outer}`;
    this.changes.push({ offset: node.offset + 1, length: node.length - 2, content });
  }

  #cut(start: number, end: number): void {
    this.changes.push({ offset: start, length: end - start, content: '' });
  }
}

/** The value that the edits of a place make: the one that is set, with what is added below it. */
function wholeValue(patch: Patch): EditValue {
  const { value } = patch;
  if (value === undefined) return materialise(patch);
  if (isList(value)) return [...value, ...patch.appended];
  if (!isRecord(value)) return value;
  return { ...value, ...Object.fromEntries(created(patch)) };
}

function materialise(patch: Patch): EditValue {
  const below = created(patch);
  if (patch.appended.length > 0 || below.some(([step]) => typeof step === 'number'))
    return [...below.map(([, value]) => value), ...patch.appended];
  return Object.fromEntries(below);
}

/** The entries that edits below a place create. */
function created(patch: Patch): [string | number, EditValue][] {
  return [...patch.below].flatMap(([step, below]) => (below.creates ? [[step, wholeValue(below)]] : []));
}

/** The value of a node, by the rules of JSON.parse: of equal keys, the last one counts. */
function jsonOf(node: Node): Json {
  if (node.type === 'array') return (node.children ?? []).map(jsonOf);
  if (node.type === 'object') {
    return Object.fromEntries(
      (node.children ?? []).map((member) => {
        const value = valueNodeOf(member);
        return [keyOf(member), value === undefined ? null : jsonOf(value)];
      }),
    );
  }
  const value = plainValueOf(node);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

/** A value without raw parts as JSON. */
function jsonValue(value: EditValue): Json {
  if (value instanceof RawJson) return null;
  if (isList(value)) return value.map(jsonValue);
  if (isRecord(value)) return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, jsonValue(entry)]));
  return isJsonObject(value) ? null : value;
}

/** The JSON after edits, where it is not a whole document. */
export function editText(text: string, root: Node, edits: readonly PathEdit[]): string {
  return applyChanges(text, planChanges(text, root, edits));
}
