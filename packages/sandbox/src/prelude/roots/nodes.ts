import type { CodeInput, CodeItem, CodeNode } from '../../code/code-data';
import { lazily } from '../lazily';
import { lookupError, itemsOf } from './items';

/** Result of `$('Name')`. */
export interface NodeView {
  readonly name: string;
  readonly isExecuted: boolean;
  readonly item: CodeItem | null;
  readonly params: unknown;
  readonly context: unknown;
  readonly all: (output?: number, run?: number) => CodeItem[];
  readonly first: (output?: number, run?: number) => CodeItem | undefined;
  readonly last: (output?: number, run?: number) => CodeItem | undefined;
  readonly itemMatching: (index: number) => CodeItem | null;
  readonly pairedItem: (index?: number) => CodeItem | null;
}

/** The other nodes, relative to the item whose index `itemIndex` returns. */
export class Nodes {
  readonly #input: CodeInput;
  readonly #itemIndex: () => number;

  constructor(input: CodeInput, itemIndex: () => number) {
    this.#input = input;
    this.#itemIndex = itemIndex;
  }

  /** `$('Name')`. @throws Error if there is no such node */
  readonly select = (name: unknown): NodeView => {
    const key = String(name);
    const node = this.#node(key);
    const all = (output?: number, run?: number): CodeItem[] => this.#items(key, node, output, run);
    const paired = (index: number = this.#itemIndex()): CodeItem | null => pairedItem(key, node, Number(index));
    const params = lazily(() => node.params ?? {});
    return {
      name: key,
      isExecuted: node.isExecuted,
      all,
      itemMatching: paired,
      pairedItem: paired,
      first: (output, run) => all(output, run)[0],
      last: (output, run) => all(output, run).at(-1),
      get item() {
        return paired();
      },
      get params() {
        return params();
      },
      get context() {
        return node.context ?? {};
      },
    };
  };

  /** `$items('Name', output, run)`, or the current items without a name. */
  readonly items = (name?: unknown, output = 0, run = -1): CodeItem[] => {
    if (name !== undefined) return this.#items(String(name), this.#node(String(name)), output, run);
    return this.#input.givesFirstOnly ? this.#input.items.slice(0, 1) : this.#input.items;
  };

  /** `$node`: `$node["Name"].json` is the item of that node at the current item's index. */
  readonly byName: object = new Proxy(
    {},
    {
      get: (_target, name) => (typeof name === 'string' ? this.#legacyView(name) : undefined),
      has: (_target, name) =>
        typeof name === 'string' && this.#input.nodes[name] !== null && Object.hasOwn(this.#input.nodes, name),
      ownKeys: () => Object.keys(this.#input.nodes),
      getOwnPropertyDescriptor: () => ({ configurable: true, enumerable: true }),
    },
  );

  #legacyView(name: string): object {
    const node = this.#node(name);
    const item = (): CodeItem => {
      const found = this.#items(name, node)[this.#itemIndex()];
      if (found !== undefined) return found;
      throw lookupError({
        message: "Can't get data for expression",
        description:
          `The node '${name}' has no item with index ${this.#itemIndex()}. ` + `Use $('${name}').first() or .item.`,
      });
    };
    const { runIndex } = this.#input;
    return {
      runIndex,
      get json() {
        return item().json;
      },
      get data() {
        return item().json;
      },
      get binary() {
        return item().binary ?? {};
      },
      get context() {
        return node.context ?? {};
      },
      get parameter() {
        return node.params ?? {};
      },
    };
  }

  #node(name: string): CodeNode {
    const node = Object.hasOwn(this.#input.nodes, name) ? this.#input.nodes[name] : null;
    if (node !== null && node !== undefined) return node;
    throw lookupError({
      message: "Referenced node doesn't exist",
      description: `The node '${name}' doesn't exist, but it is used in the code here.`,
    });
  }

  #items(name: string, node: CodeNode, output?: number, run?: number): CodeItem[] {
    const missing = {
      message: `Node '${name}' has no such output or run`,
      description: `Output ${output ?? 'any'}, run ${run ?? 'latest'}`,
    };
    if (output === undefined && run === undefined) return itemsOf(node.output, missing);
    const choice =
      node.choices !== undefined && Object.hasOwn(node.choices, `${output ?? ''}/${run ?? ''}`)
        ? node.choices[`${output ?? ''}/${run ?? ''}`]
        : undefined;
    return itemsOf(choice, missing);
  }
}

function pairedItem(name: string, node: CodeNode, index: number): CodeItem | null {
  const paired = node.paired?.[index];
  if (paired === undefined)
    throw lookupError({
      message: `Can't get data for expression`,
      description: `There is no item with index ${index} that an item of '${name}' could have led to.`,
    });
  if (typeof paired === 'number')
    return itemsOf(node.output, { message: `Node '${name}' has no items` })[paired] ?? null;
  if ('error' in paired) throw lookupError(paired.error);
  return paired.item;
}
