import type { WorkflowDocument } from './document';
import type { Path } from './json/tree';
import { textField } from '@weft/node-catalogue/definitions';

/** A place of a workflow, as a user finds it. */
export interface FieldPlace {
  /** Name of the node; undefined for a place outside of the nodes. */
  readonly node: string | undefined;
  /** Below the node or the workflow. */
  readonly path: Path;
}

const STEP = /\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|([^.[\]]+)/gu;

/** Reads a path as the API writes it, such as `nodes[2].parameters.headers[0].name`. */
export function readFieldPath(field: string): Path {
  return [...field.matchAll(STEP)].map(([, index, quoted, name]) =>
    index === undefined ? (quoted ?? name ?? '') : Number(index),
  );
}

/** The text of a path: `headers[0].name`. */
export function showPath(path: Path): string {
  return path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`),
    '',
  );
}

/** Finds the place that a path of the API names. @param document that was sent */
export function placeOfField(document: WorkflowDocument, field: string): FieldPlace {
  const path = readFieldPath(field);
  const [list, index, ...rest] = path;
  const { nodes } = document.json;
  if (list !== 'nodes' || typeof index !== 'number' || !Array.isArray(nodes)) return { node: undefined, path };
  const node = textField(nodes[index], 'name');
  return node === undefined ? { node, path } : { node, path: rest };
}
