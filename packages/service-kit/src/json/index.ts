export * from './json';
export { JSON_LIMITS, parseJson, withoutBom, type JsonLimits } from './parse-json';
