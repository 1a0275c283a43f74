import { getNodeValue, parseTree, type Node } from 'jsonc-parser';

/** Steps from the root of the definition: keys of objects and indexes of arrays. */
export type Path = readonly (string | number)[];

/** The syntax tree of JSON that is known to be valid. */
export function treeOf(text: string): Node {
  const tree = parseTree(text, [], { disallowComments: true });
  if (tree === undefined) throw new RangeError('the text is empty');
  return tree;
}

/** The members of an object with this key. JSON.parse takes the last one, and so does everything here. */
export function membersOf(object: Node, key: string): Node[] {
  if (object.type !== 'object') return [];
  return (object.children ?? []).filter((member) => keyOf(member) === key);
}

/** The key of a member of an object. */
export function keyOf(member: Node): string {
  return String(member.children?.[0]?.value);
}

/** The value of a member of an object. */
export function valueNodeOf(member: Node): Node | undefined {
  return member.children?.[1];
}

/** The node that a path leads to, or undefined. */
export function nodeAt(root: Node, path: Path): Node | undefined {
  let node: Node | undefined = root;
  for (const step of path) {
    if (node === undefined) return undefined;
    node = childOf(node, step);
  }
  return node;
}

/** The value under one key or index, or undefined. */
export function childOf(node: Node, step: string | number): Node | undefined {
  if (typeof step === 'number') return node.type === 'array' ? node.children?.[step] : undefined;
  const member = membersOf(node, step).at(-1);
  return member === undefined ? undefined : valueNodeOf(member);
}

/** The value of a node that is not an object or array. */
export function plainValueOf(node: Node): unknown {
  return getNodeValue(node);
}
