import { HighlightStyle } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** Colours of code, as tokens of the console. */
export const codeColours = HighlightStyle.define([
  { tag: [tags.string, tags.regexp], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-number)' },
  { tag: [tags.keyword, tags.operatorKeyword], color: 'var(--code-word)' },
  {
    tag: [tags.propertyName, tags.function(tags.variableName), tags.definition(tags.variableName)],
    color: 'var(--code-name)',
  },
  { tag: [tags.comment, tags.bracket], color: 'var(--text-3)' },
]);

/** The look of fields with code. */
export const codeTheme = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'transparent', font: 'var(--t-code)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { font: 'var(--t-code)', lineHeight: '1.25rem', maxHeight: '20rem' },
  '.cm-content': { padding: '0.3125rem 0', caretColor: 'var(--text)', minHeight: '1.25rem' },
  '.cm-line': { padding: '0 0.5rem' },
  '.cm-placeholder': { color: 'var(--text-3)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--accent-soft)' },
  '.x-brace': { color: 'var(--text-3)' },
  '.x-name': { color: 'var(--code-name)' },
  '.x-number': { color: 'var(--code-number)' },
  '.x-string': { color: 'var(--code-string)' },
  '.x-error': { textDecoration: 'underline wavy var(--error)', textUnderlineOffset: '3px' },
  '.cm-tooltip': {
    backgroundColor: 'var(--overlay)',
    color: 'var(--text)',
    border: '0',
    borderRadius: 'var(--r-2)',
    boxShadow: 'var(--shadow-3)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { font: 'var(--t-12)', fontFamily: 'var(--font)', maxHeight: '14rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '0.25rem 0.5rem', display: 'flex', gap: '0.5rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--accent-soft)',
    color: 'var(--text)',
  },
  '.cm-completionLabel': { fontFamily: 'var(--mono)' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-completionDetail': {
    marginLeft: 'auto',
    color: 'var(--text-2)',
    fontStyle: 'normal',
    fontFamily: 'var(--mono)',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    maxWidth: '12rem',
  },
});
