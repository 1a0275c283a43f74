import type { ApiOperation } from './find-operations';
import { firstSentence, identifierOf, labelOf, wordsOf } from './names';

const MAX_LABEL = 60;

/** An operation with the values of the parameters that select it. */
export interface NamedOperation {
  readonly operation: ApiOperation;
  /** Undefined if all operations are of one resource. */
  readonly resource: { readonly value: string; readonly label: string } | undefined;
  readonly value: string;
  readonly label: string;
  /** Key in `operations` of the kind. */
  readonly key: string;
}

/** Names operations by their tags and ids, so that no two have the same name. */
export function nameOperations(operations: readonly ApiOperation[]): readonly NamedOperation[] {
  const groups = operations.map(groupOf);
  const hasResources = new Set(groups.map((group) => identifierOf(group, 'api'))).size > 1;
  const taken = new Set<string>();
  return operations.map((operation, index) => {
    const group = groups[index] ?? '';
    const resource = hasResources ? { value: identifierOf(group, 'api'), label: labelOf(group) } : undefined;
    const value = uniqueName(operation, group, (name) => !taken.has(keyOf(resource?.value, name)));
    const key = keyOf(resource?.value, value);
    taken.add(key);
    const summary = firstSentence(operation.summary).replace(/\.$/, '');
    const label = summary === '' || summary.length > MAX_LABEL ? labelOf(value) : summary;
    return { operation, resource, value, label, key };
  });
}

const keyOf = (resource: string | undefined, value: string): string =>
  resource === undefined ? value : `${resource}.${value}`;

/** The tag of an operation, else the first name in its path. */
function groupOf({ tag, path }: ApiOperation): string {
  const named = tag === undefined || wordsOf(tag).length === 0 ? undefined : tag;
  const parts = path.split('/').filter((part) => wordsOf(part).length > 0 && !/^\{|^v\d|^api$|^rest$/i.test(part));
  return named ?? parts[0] ?? 'api';
}

function uniqueName({ id, method, path }: ApiOperation, group: string, isFree: (name: string) => boolean): string {
  const words = wordsOf(id.startsWith(`${method} `) ? `${method.toLowerCase()} ${path}` : id);
  const prefix = wordsOf(group).map((word) => word.toLowerCase());
  const hasPrefix = prefix.every((word, index) => words[index]?.toLowerCase() === word) && words.length > prefix.length;
  const full = words.join(' ');
  const candidates = [hasPrefix ? words.slice(prefix.length).join(' ') : full, full, `${full} ${method}`];
  const found = candidates.map((text) => identifierOf(text, 'call')).find(isFree);
  if (found !== undefined) return found;
  const numbered = (number: number): string => identifierOf(`${full.slice(0, 50)} ${number}`, 'call');
  let number = 2;
  while (!isFree(numbered(number))) number += 1;
  return numbered(number);
}
