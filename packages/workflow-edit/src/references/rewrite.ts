import { ExpressionError, isForbiddenName, splitTemplate } from '@weft/expressions/syntax';
import type { WorkflowDocument } from '../document';
import { EditError } from '../edit-error';
import type { PathEdit } from '../json/plan-changes';
import { applyChanges, type TextChange } from '../text-changes';
import { referencesIn } from './find-in-text';
import { referringTexts } from './find-references';
import type { Language, TextReference } from './reference';

/**
 * The changes of a text by which it refers to renamed nodes under their new names. Nothing else changes.
 * @param renames new names by old names
 * @throws EditError `UNSAFE_RENAME` if the text would then mean something else
 */
function rewriteChanges(text: string, language: Language, renames: ReadonlyMap<string, string>): TextChange[] {
  const { references } = referencesIn(text, language);
  const changes = references.flatMap((reference) => {
    const name = renames.get(reference.node);
    return name === undefined || name === reference.node ? [] : [changeOf(text, reference, name)];
  });
  if (changes.length === 0) return changes;
  const expected = references.map(({ node }) => renames.get(node) ?? node);
  const rewritten = applyChanges(text, changes);
  const found = referencesIn(rewritten, language).references.map(({ node }) => node);
  const isSame = expected.length === found.length && expected.every((name, index) => name === found[index]);
  if (!isSame || (language === 'expression' && (isBroken(rewritten) || references.some(isRefused(text, renames)))))
    throw new EditError(
      'UNSAFE_RENAME',
      `The text ${JSON.stringify(text.slice(0, 100))} cannot refer to a node of that name. Choose another name.`,
    );
  return changes;
}

/**
 * The edits by which all expressions and code of a workflow refer to renamed nodes under their new names.
 * @param renames new names by old names
 * @throws EditError `UNSAFE_RENAME`
 */
export function referenceEdits(document: WorkflowDocument, renames: ReadonlyMap<string, string>): PathEdit[] {
  return referringTexts(document).flatMap(({ path, language, text }): PathEdit[] => {
    const changes = rewriteChanges(text, language, renames);
    return changes.length === 0 ? [] : [{ kind: 'text', path, changes }];
  });
}

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** `$node.constructor` and `$node["constructor"]` parse, but the interpreter refuses them. */
function isRefused(text: string, renames: ReadonlyMap<string, string>): (reference: TextReference) => boolean {
  return ({ form, node, start }) =>
    isForbiddenName(renames.get(node) ?? '') && (form === 'member' || text.slice(0, start).trimEnd().endsWith('['));
}

function isBroken(text: string): boolean {
  try {
    splitTemplate(text, 1);
    return false;
  } catch (error) {
    if (error instanceof ExpressionError) return true;
    throw error;
  }
}

function changeOf(text: string, { form, start, end }: TextReference, name: string): TextChange {
  const written = text.slice(start, end);
  if (form === 'text') return { offset: start, length: end - start, content: quote(name, written[0] ?? '"') };
  const isOptional = written.startsWith('?.');
  const content = IDENTIFIER.test(name)
    ? `${isOptional ? '?.' : '.'}${name}`
    : `${isOptional ? '?.' : ''}[${quote(name, '"')}]`;
  return { offset: start, length: end - start, content };
}

/** A string literal. Braces are escaped where they could end the expression that it is in. */
function quote(name: string, mark: string): string {
  const used = mark === "'" || mark === '`' ? mark : '"';
  const inner = JSON.stringify(name)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll(used, `\\${used}`)
    .replaceAll('{{', '\\x7b\\x7b')
    .replaceAll('}}', '\\x7d\\x7d')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
  return used + (used === '`' ? inner.replaceAll('${', '\\${') : inner) + used;
}
