export { withoutEnds, withoutTrailing, withoutTrailingBreaks } from './trim-characters';
