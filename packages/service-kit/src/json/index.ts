export * from './json';
export { JSON_LIMITS, parseJson, withoutBom, type JsonLimits } from './parse-json';
export { parseLongJson, SHORT_BYTES, type TakeTurn } from './parse-long-json';
export { runToEnd, walkJson, type JsonRules } from './walk-json';
