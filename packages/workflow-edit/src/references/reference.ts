import type { Path } from '../json/tree';

/** A place of a text that names another node. */
export interface TextReference {
  /** The name as the language reads it. */
  readonly node: string;
  /**
   * - `text`: a string literal, `$('X')`, `$node["X"]`, `$items("X")`
   * - `member`: a name after a dot, `$node.X`
   */
  readonly form: 'text' | 'member';
  /** Range of characters: of the literal with its quotes, or from the dot to the end of the name. */
  readonly start: number;
  readonly end: number;
}

/** A place of a text that may name any node: the name is computed, so a rename cannot follow it. */
export interface OpenReference {
  readonly start: number;
  readonly end: number;
}

/** All references of one text. */
export interface TextReferences {
  readonly references: readonly TextReference[];
  readonly open: readonly OpenReference[];
}

/** How a text is read. */
export type Language = 'expression' | 'code';

/** A text of a workflow that can refer to nodes. */
export interface ReferringText {
  /** Name of the node whose parameter it is. */
  readonly owner: string;
  /** Path in the definition, for example `['nodes', 2, 'parameters', 'jsCode']`. */
  readonly path: Path;
  readonly language: Language;
  readonly text: string;
}

/** A reference of a workflow, with the text that it is in. */
export interface NodeReference extends TextReference {
  readonly owner: string;
  readonly path: Path;
  readonly language: Language;
}
