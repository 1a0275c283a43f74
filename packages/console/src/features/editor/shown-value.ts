import { type FieldPlace, showPath } from '@weft/workflow-edit';

/** A path below a node for people, who see parameters as its fields. */
export const shownPath = (path: FieldPlace['path']): string =>
  showPath(path[0] === 'parameters' ? path.slice(1) : path);

/** A value as a text. @param most characters; the rest is left out */
export const shownValue = (value: unknown, most: number): string => {
  if (value === undefined) return 'not set';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > most ? `${text.slice(0, most)}…` : text;
};
