/**
 * The version in the name of a model: the first number of one or two digits, with a second one behind it as its
 * fraction. `claude-opus-4-7` has 4.7, `claude-3-7-sonnet-20250219` has 3.7, `gemini-2.5-flash` has 2.5; 0 without one.
 */
export const versionIn = (model: string): number => {
  const [, major = '0', minor = '0'] = /(?:^|\D)(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/.exec(model) ?? [];
  return Number(`${major}.${minor}`);
};
