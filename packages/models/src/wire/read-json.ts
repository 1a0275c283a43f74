import { type Json, runToEnd, walkJson } from '@weft/service-kit/json';
import { LIMITS } from '../limits';

/** Text that is not JSON, or nested too deeply. The message completes a sentence: "is not JSON (…)". */
export class JsonRefused extends Error {}

/**
 * Parses untrusted JSON whose size is bounded already.
 * @throws JsonRefused beyond `LIMITS.depth` levels, for a key `__proto__`, and for text that is not JSON
 */
export function readJson(text: string): Json {
  const value = parse(text);
  runToEnd(walkJson(value, RULES));
  return value;
}

const RULES = {
  maxDepth: LIMITS.depth,
  onTooDeep: () => {
    throw new JsonRefused(`is nested deeper than ${LIMITS.depth} levels`);
  },
  onProto: () => {
    throw new JsonRefused('has a key "__proto__"');
  },
};

function parse(text: string): Json {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    throw new JsonRefused('is not valid JSON');
  }
}
