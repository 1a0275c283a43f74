export * from './json';
export { isTooDeep } from './too-deep';
export { JSON_LIMITS, parseJson, withoutBom, type JsonLimits } from './parse-json';
