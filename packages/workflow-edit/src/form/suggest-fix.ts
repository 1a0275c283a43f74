import { nearestName } from '@weft/node-catalogue/definitions';
import { referencesIn } from '../references/find-in-text';
import { applyChanges, type TextChange } from '../text-changes';

/** A change of an expression that probably repairs it. */
export interface Fix {
  /** Text of the button, for example the name that is meant. */
  readonly label: string;
  readonly text: string;
}

/** The part of an error of a preview that a fix depends on. */
export interface FixableError {
  readonly type: string;
  /** The node that the expression asked for. */
  readonly node?: string;
}

/**
 * Suggests how to repair an expression.
 * @param text with its `=`
 * @param names of the nodes of the workflow
 */
export function suggestFix(text: string, error: FixableError, names: readonly string[]): Fix | undefined {
  switch (error.type) {
    case 'node_not_found':
      return error.node === undefined ? undefined : renameFix(text, error.node, names);
    case 'paired_item':
    case 'no_connection':
      return error.node === undefined ? undefined : firstItemFix(text, error.node);
    case 'function':
      return callFix(text);
    default:
      return undefined;
  }
}

/** Replaces the name of a node that does not exist. */
function renameFix(text: string, missing: string, names: readonly string[]): Fix | undefined {
  const meant = nearestName(missing, names);
  if (meant === undefined) return undefined;
  const changes = referencesIn(text, 'expression')
    .references.filter(({ node }) => node === missing)
    .map(({ form, start, end }): TextChange => {
      const content = form === 'text' ? quoted(meant, text.charAt(start)) : `[${quoted(meant, '"')}]`;
      return { offset: start, length: end - start, content };
    });
  return fixOf(text, meant, changes);
}

/** Reads the first item of a node to which no item leads back. */
function firstItemFix(text: string, node: string): Fix | undefined {
  const changes = referencesIn(text, 'expression')
    .references.filter((reference) => reference.node === node)
    .flatMap(({ end }): TextChange[] => {
      const item = /^\s{0,20}\)\s{0,20}\.item\b/.exec(text.slice(end, end + 60))?.[0];
      return item === undefined
        ? []
        : [{ offset: end + item.length - 'item'.length, length: 'item'.length, content: 'first()' }];
    });
  return fixOf(text, 'Use .first()', changes);
}

/** Calls a method that is only named, at the end of the text. */
function callFix(text: string): Fix | undefined {
  const close = text.lastIndexOf('}}');
  const end = text.slice(0, close).trimEnd().length;
  if (close < 0 || !/[\w$]$/.test(text.slice(0, end))) return undefined;
  return fixOf(text, 'Add ()', [{ offset: end, length: 0, content: '()' }]);
}

/** Replaces a range of a text, such as the name of a field that a value lacks. */
export function replaceRange(text: string, start: number, end: number, content: string): string {
  return applyChanges(text, [{ offset: start, length: end - start, content }]);
}

function fixOf(text: string, label: string, changes: readonly TextChange[]): Fix | undefined {
  return changes.length === 0 ? undefined : { label, text: applyChanges(text, changes) };
}

function quoted(name: string, quote: string): string {
  const escaped = name.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll(quote, `\\${quote}`);
  return `${quote}${escaped}${quote}`;
}
