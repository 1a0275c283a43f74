import { type Extension, type Range, RangeSetBuilder, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';

/** Characters of a text that are coloured. */
const MAX_TEXT = 50_000;

const PIECES = [
  /(?<brace>\{\{|\}\})/,
  /(?<string>"[^"\n]{0,1000}"?|'[^'\n]{0,1000}'?|`[^`]{0,1000}`?)/,
  /(?<number>\d[\d.]{0,40})/,
  /(?<name>\$\w{0,100})/,
  /\w{1,200}/,
];

// Linear: no piece begins like another one.
const TOKEN = new RegExp(PIECES.map(({ source }) => source).join('|'), 'g');

const MARKS = {
  brace: Decoration.mark({ class: 'x-brace' }),
  string: Decoration.mark({ class: 'x-string' }),
  number: Decoration.mark({ class: 'x-number' }),
  name: Decoration.mark({ class: 'x-name' }),
} as const;

const KINDS = ['brace', 'string', 'number', 'name'] as const;

/** Colours the bodies of `{{ }}`; the text around them stays plain. */
const colours = (text: string): DecorationSet => {
  const builder = new RangeSetBuilder<Decoration>();
  let isInside = false;
  for (const match of text.slice(0, MAX_TEXT).matchAll(TOKEN)) {
    const kind = KINDS.find((one) => match.groups?.[one] !== undefined);
    if (match[0] === '{{') isInside = true;
    if (kind !== undefined && isInside) builder.add(match.index, match.index + match[0].length, MARKS[kind]);
    if (match[0] === '}}') isInside = false;
  }
  return builder.finish();
};

const colouring = ViewPlugin.define(
  (view) => ({
    decorations: colours(view.state.doc.toString()),
    update(update: ViewUpdate) {
      if (update.docChanged) this.decorations = colours(update.state.doc.toString());
    },
  }),
  { decorations: ({ decorations }) => decorations },
);

/** Sets the position of an error; undefined removes it. */
export const setErrorPosition = StateEffect.define<number | undefined>();

const errorMark = Decoration.mark({ class: 'x-error' });

const errorField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, transaction) => {
    let next = transaction.docChanged ? Decoration.none : marks;
    for (const effect of transaction.effects)
      if (effect.is(setErrorPosition)) next = marksAt(effect.value, transaction.newDoc.toString());
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** The word at a position, or the character. */
const marksAt = (position: number | undefined, text: string): DecorationSet => {
  if (position === undefined || position < 0 || text === '') return Decoration.none;
  const from = Math.min(position, text.length - 1);
  const word = /^[\w$]{1,100}/.exec(text.slice(from))?.[0] ?? text.charAt(from);
  const mark: Range<Decoration> = errorMark.range(from, from + word.length);
  return Decoration.set([mark]);
};

/** Colours of an expression, and its error. */
export const expressionHighlighting: Extension = [colouring, errorField];
