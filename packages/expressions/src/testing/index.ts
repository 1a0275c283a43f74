export { fixedScope } from './fixed-scope';
