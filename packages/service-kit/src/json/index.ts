export * from './json';
export { JSON_LIMITS, parseJson, withoutBom, type JsonLimits } from './parse-json';
export { parseLongJson, SHORT_BYTES, type TakeTurn } from './parse-long-json';
export { walkJson, type JsonRules } from './walk-json';
