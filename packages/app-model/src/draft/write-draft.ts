import type { Json, JsonObject } from '@weft/service-kit/json-values';
import { Document, isMap, isPair, isScalar, isSeq, visit } from 'yaml';

/** Lines of a comment before a value. */
export interface Comment {
  /** Names of fields from the top; empty for the document. */
  readonly path: readonly string[];
  readonly text: readonly string[];
}

/** Longest list or object that is written on one line. */
const MAX_FLOW = 110;

/** An app as YAML with comments. */
export function writeDraft(document: JsonObject, comments: readonly Comment[]): string {
  const yaml = new Document(document, { schema: 'core', aliasDuplicateObjects: false });
  visit(yaml, {
    // Options and lists of names are read in one line each.
    Collection: (_, node) => {
      const json: Json = node.toJS(yaml);
      const isSmall =
        isMap(node) || isSeq(node) ? node.items.every((item) => isFlat(isPair(item) ? item.value : item)) : false;
      if (isSmall && JSON.stringify(json).length <= MAX_FLOW && !hasTemplate(json)) node.flow = true;
    },
  });
  const top = comments.filter(({ path }) => path.length === 0).flatMap(({ text }) => text);
  yaml.commentBefore = commentOf(top);
  for (const { path, text } of comments) {
    const name = path.at(-1);
    const parent = yaml.getIn(path.slice(0, -1), true);
    const pair = isMap(parent) ? parent.items.find(({ key }) => isScalar(key) && key.value === name) : undefined;
    if (path.length > 0 && text.length > 0 && pair !== undefined && isScalar(pair.key))
      pair.key.commentBefore = commentOf(text);
  }
  return yaml.toString({ lineWidth: 0 });
}

const isFlat = (node: unknown): boolean => !isMap(node) && !isSeq(node);

const hasTemplate = (value: Json): boolean => JSON.stringify(value).includes('"=');

const commentOf = (lines: readonly string[]): string => lines.map((line) => ` ${line}`).join('\n');
