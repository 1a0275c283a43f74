import { createStore } from '../../../ui/store';
import type { ExpressionEditor } from './expression-editor';

interface Loaded {
  readonly Editor: typeof ExpressionEditor;
}

/** The editor of expressions, which is a third of the scripts of the workflow editor; undefined until it is loaded. */
export const expressionEditor = createStore<Loaded | undefined>(undefined);

/** Loads the editor of expressions. Once it is loaded, it appears at once, so no key is lost between two controls. */
export const loadExpressionEditor = async (): Promise<void> => {
  if (expressionEditor.get() !== undefined) return;
  const { ExpressionEditor: Editor } = await import('./expression-editor');
  expressionEditor.set({ Editor });
};
