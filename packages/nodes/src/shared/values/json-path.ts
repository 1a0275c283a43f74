import type { Json, JsonObject } from '@weft/node-catalogue';
import { isJsonObject } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';

/** Highest index that a path may write to: a larger one would fill memory with empty entries. */
const MAX_LIST_INDEX = 10_000;

/** The steps of a path in dot notation: `a.b[0]["c d"]` is a, b, 0, `c d`. */
export function pathSteps(path: string): string[] {
  const known = STEPS.get(path);
  if (known !== undefined) return known;
  const steps = readSteps(path);
  if (STEPS.size >= 1_000) STEPS.clear();
  STEPS.set(path, steps);
  return steps;
}
/** Caches paths: there are few, and each is used for every item. */
const STEPS = new Map<string, string[]>();

/** Reads a path in one pass: an opening bracket without an end must not start another search. */
function readSteps(path: string): string[] {
  const steps: string[] = [];
  const lastBracket = path.lastIndexOf(']');
  let at = 0;
  while (at <= path.length) {
    const character = path.charAt(at);
    const bracketed = character === '[' && at < lastBracket ? readBracket(path, at) : undefined;
    if (bracketed !== undefined) {
      steps.push(bracketed.step);
      at = bracketed.end;
    } else if (character === '' || '.[]'.includes(character)) {
      const isEmptyStep = (character === '' || character === '.') && (at === 0 || path[at - 1] === '.');
      if (isEmptyStep) steps.push('');
      at += 1;
    } else {
      const start = at;
      while (at < path.length && !'.[]'.includes(path.charAt(at))) at += 1;
      steps.push(path.slice(start, at));
    }
  }
  // Brackets alone lead nowhere, and not to the object itself.
  return steps.length === 0 ? [path] : steps;
}

/** The step in the brackets that open at `open`, quoted or not. A closing bracket follows. */
function readBracket(path: string, open: number): { readonly step: string; readonly end: number } | undefined {
  const start = afterBlanks(path, open + 1);
  const quote = path.charAt(start);
  const endOfText = quote === '"' || quote === "'" ? path.indexOf(quote, start + 1) : -1;
  if (endOfText >= 0) {
    const close = afterBlanks(path, endOfText + 1);
    if (path[close] === ']') return { step: path.slice(start + 1, endOfText), end: close + 1 };
  }
  const close = path.indexOf(']', start);
  return close < 0 ? undefined : { step: path.slice(start, close), end: close + 1 };
}

function afterBlanks(path: string, from: number): number {
  let at = from;
  while (at < path.length && path.charAt(at).trim() === '') at += 1;
  return at;
}

/** The value at a path; undefined if there is none. A field whose name equals the path takes precedence. */
export function getPath(json: JsonObject, path: string): Json | undefined {
  if (Object.hasOwn(json, path)) return json[path];
  let value: Json | undefined = json;
  for (const step of pathSteps(path)) value = child(value, step);
  return value;
}

/**
 * Sets a value at a path of an object that the caller owns. Objects and arrays on the path are copied before they are
 * changed, since other items may share them. Missing containers, and values that are not containers, are replaced by
 * new ones.
 * @throws NodeFailure for a path through JavaScript's built-in fields or far beyond the end of an array
 */
export function setPath(json: JsonObject, path: string, value: Json): void {
  const steps = Object.hasOwn(json, path) ? [path] : pathSteps(path);
  let parent: JsonObject | Json[] = json;
  steps.forEach((step, index) => {
    refuseForbidden(step, path);
    if (index === steps.length - 1) {
      put(parent, step, value, path);
      return;
    }
    const next = copyOrCreate(child(parent, step), steps[index + 1] ?? '');
    put(parent, step, next, path);
    parent = next;
  });
}

/** Removes the value at a path from an object that the caller owns. Copies the changed objects on the path. */
export function unsetPath(json: JsonObject, path: string): void {
  const steps = Object.hasOwn(json, path) ? [path] : pathSteps(path);
  let parent: JsonObject | Json[] = json;
  for (const [index, step] of steps.entries()) {
    const value = child(parent, step);
    if (value === undefined) return;
    if (index === steps.length - 1) {
      remove(parent, step);
      return;
    }
    if (typeof value !== 'object' || value === null) return;
    const copy: JsonObject | Json[] = Array.isArray(value) ? [...value] : { ...value };
    put(parent, step, copy, path);
    parent = copy;
  }
}

/**
 * Sets undefined at a path of an object that the caller owns, as JavaScript does: the containers on the path are
 * created as in `setPath`, a field at the end is removed, and an array index becomes null.
 */
export function clearPath(json: JsonObject, path: string): void {
  setPath(json, path, null);
  let parent: Json | undefined = json;
  for (const step of pathSteps(path).slice(0, -1)) parent = child(parent, step);
  if (!Array.isArray(parent)) unsetPath(json, path);
}

function child(value: Json | undefined, step: string): Json | undefined {
  if (Array.isArray(value)) return isIndex(step) ? value[Number(step)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

function copyOrCreate(value: Json | undefined, nextStep: string): JsonObject | Json[] {
  if (Array.isArray(value)) return [...value];
  if (isJsonObject(value)) return { ...value };
  return isIndex(nextStep) ? [] : {};
}

function put(parent: JsonObject | Json[], step: string, value: Json, path: string): void {
  if (!Array.isArray(parent)) {
    parent[step] = value;
    return;
  }
  const index = Number(step);
  if (!isIndex(step) || index > MAX_LIST_INDEX)
    throw new NodeFailure(`The path "${path}" leads to "${step}" in an array, which is not an index of it`);
  // An array in JSON has no holes.
  while (parent.length < index) parent.push(null);
  parent[index] = value;
}

function remove(parent: JsonObject | Json[], step: string): void {
  if (Array.isArray(parent)) parent[Number(step)] = null;
  else delete parent[step];
}

function isIndex(step: string): boolean {
  return /^(?:0|[1-9]\d*)$/.test(step);
}

function refuseForbidden(step: string, path: string): void {
  if (step === '__proto__')
    throw new NodeFailure(`The path "${path}" is not allowed: it leads into JavaScript's built-in fields`);
}
