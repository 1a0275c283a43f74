export { isUuid, uuidv7 } from './uuidv7';
