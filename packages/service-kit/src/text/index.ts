export * from './escape-pattern';
export { withoutEnds, withoutTrailing, withoutTrailingBreaks } from './trim-characters';
