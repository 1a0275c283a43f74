import type { QueryNode } from 'jmespath';
import { isArray, isPlainObject } from '../runtime/kinds';
import { forbidden, isForbiddenName } from '../runtime/names';
import { overBudget } from '../runtime/run';
import { misuse } from '../errors';

/** Values and characters that a query may handle, all its steps together. */
const MAX_SIZE = 3_000_000;

/** The size of JSON data: its values and characters. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return 1 + value.length;
  if (isArray(value)) return value.reduce<number>((sum, entry) => sum + sizeOf(entry), 1);
  if (!isPlainObject(value)) return 1;
  return Object.entries(value).reduce((sum, [key, entry]) => sum + key.length + sizeOf(entry), 1);
}

/**
 * Works out how much a query can make of data of a given size, without running it: queries can double data with every
 * step.
 * @throws ExpressionError `budget` if that is too much, `security` if the query names a field that no expression may
 * read
 */
export class QuerySize {
  private handled = 0;

  /**
   * The size of all results of one node of the query, at most. `total` is the size of all values it is applied to,
   * `count` how many
   * they are.
   */
  of(node: QueryNode, total: number, count: number): number {
    const children = childrenOf(node);
    const first = (): number => (children[0] === undefined ? 0 : this.of(children[0], total, count));
    this.handle(total + count);
    switch (node.type) {
      case 'Field':
        return this.named(node.name, total);
      case 'Literal':
        return this.handle(count * sizeOf(node.value));
      case 'Subexpression':
      case 'IndexExpression':
      case 'Pipe':
        return children.reduce((size, child) => this.of(child, size, count), total);
      case 'Projection':
      case 'ValueProjection':
        return this.projected(first(), children.slice(1));
      case 'FilterProjection':
        return this.projected(first(), children.slice(1));
      case 'MultiSelectList':
      case 'MultiSelectHash':
        return this.handle(count * (1 + children.length) + this.sum(children, total, count));
      case 'Function':
        return this.called(node, children, total, count);
      case 'Comparator':
      case 'NotExpression':
        this.sum(children, total, count);
        return count;
      default:
        return this.handle(Math.max(total, this.sum(children, total, count)));
    }
  }

  private named(name: unknown, total: number): number {
    if (typeof name !== 'string' || isForbiddenName(name) || name === 'jmespathType') throw forbidden(String(name));
    return total;
  }

  /** Something applied to each element of a list whose elements have `size` together. */
  private projected(size: number, parts: readonly QueryNode[]): number {
    const [right, ...conditions] = parts;
    for (const condition of conditions) this.of(condition, size, size);
    return this.handle(size + (right === undefined ? 0 : this.of(right, size, size)));
  }

  private called(node: QueryNode, children: readonly QueryNode[], total: number, count: number): number {
    this.named(node.name, total);
    const references = children.filter((child) => child.type === 'ExpressionReference').flatMap(childrenOf);
    const values = children.filter((child) => child.type !== 'ExpressionReference');
    const size = this.sum(values, total, count);
    if (node.name === 'join') return this.handle(size * (1 + separatorLength(children[0])));
    // Texts can grow six times when they are written as JSON.
    if (node.name === 'to_string') return this.handle(size * 6);
    return this.projected(size + count, references);
  }

  private sum(nodes: readonly QueryNode[], total: number, count: number): number {
    return nodes.reduce((size, node) => size + this.of(node, total, count), 0);
  }

  private handle(size: number): number {
    this.handled += size;
    if (!(this.handled <= MAX_SIZE)) throw overBudget('uses a JMESPath query that can make too much of this data');
    return size;
  }
}

function separatorLength(node: QueryNode | undefined): number {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value.length;
  throw misuse('$jmespath', "join needs its separator as a literal, for example join(', ', names)");
}

function isNode(value: unknown): value is QueryNode {
  return isPlainObject(value) && typeof value['type'] === 'string';
}

/** The nodes within a node; those of an object that is built are the values of its pairs. */
function childrenOf(node: QueryNode): readonly QueryNode[] {
  const children = isArray(node.children) ? node.children : [];
  return children.filter(isNode).map((child) => {
    if (child.type !== 'KeyValuePair') return child;
    if (typeof child.name !== 'string' || isForbiddenName(child.name)) throw forbidden(String(child.name));
    return isNode(child.value) ? child.value : { type: 'Literal', value: null };
  });
}
