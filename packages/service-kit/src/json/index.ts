export { JSON_LIMITS, parseJson, type JsonLimits, type JsonObject, type JsonValue } from './parse-json';
