const state = { isLoaded: false };

/** Loads the editor of expressions, which is a third of the scripts of the workflow editor. */
export const loadExpressionEditor = async () => {
  const module = await import('./expression-editor');
  state.isLoaded = true;
  return module;
};

/** True if the editor appears at once, so that no key is lost between two controls. */
export const isExpressionEditorLoaded = (): boolean => state.isLoaded;
