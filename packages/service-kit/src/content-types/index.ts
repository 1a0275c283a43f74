export { typeInUtf8 } from './response-type';
