export { fixedScope } from './fixed-scope';
export { worstStrings } from './worst-strings';
