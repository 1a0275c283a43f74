export * from './json';
export { JSON_LIMITS, parseJson, withoutBom, type JsonLimits } from './parse-json';
export { parseLongJson, SHORT_BYTES, type TakeTurn } from './parse-long-json';
export { readInTurns, turnsOf, type TurnsOf } from './read-in-turns';
export { runToEnd, walkJson, type JsonRules } from './walk-json';
