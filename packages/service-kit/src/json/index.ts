export * from './json';
export { JSON_LIMITS, parseJson, type JsonLimits } from './parse-json';
