import type { CodeInput, CodeItem } from '../../code/code-data';
import { defineGlobal, defineLazyGlobal } from '../define';
import { luxon, setDefaultZone } from '../libraries';
import { createHelpers } from './helpers';
import type { PersistentData } from './persistent-data';
import { Nodes } from './nodes';

/** The global names that the code of a run sees. */
export class Roots {
  readonly #input: CodeInput;
  readonly #persistent: PersistentData;
  readonly #nodes: Nodes;
  readonly #helpers: object;
  #itemIndex = 0;
  #files: object | undefined;

  constructor(input: CodeInput, persistent: PersistentData) {
    this.#input = input;
    this.#helpers = createHelpers(input.items);
    this.#persistent = persistent;
    this.#nodes = new Nodes(input, () => this.#itemIndex);
  }

  /** `this` of the code. */
  get self(): object {
    return {
      helpers: this.#helpers,
      getNodeParameter: this.#parameter,
      getWorkflowStaticData: this.#persistent.staticData,
      getMode: () => this.#input.mode,
    };
  }

  /** Defines the names that are the same for all items. */
  install(): void {
    const { input, nodes } = { input: this.#input, nodes: this.#nodes };
    setDefaultZone(input.timezone);
    const execution = { ...input.execution, customData: this.#persistent.marks };
    const { id, ...workflow } = input.workflow;
    const values: Readonly<Record<string, unknown>> = {
      $: nodes.select,
      $node: nodes.byName,
      $items: nodes.items,
      $item: (index: unknown) => this.#asSeenFrom(Number(index)),
      $input: this.#current(),
      $workflow: { id, ...workflow },
      $execution: execution,
      $executionId: input.execution.id,
      $mode: input.mode,
      $prevNode: input.prevNode ?? {},
      $runIndex: input.runIndex,
      $vars: input.vars,
      $env: input.env,
      $parameter: input.node.parameters,
      $nodeId: input.node.id,
      $nodeVersion: input.node.version,
      $getWorkflowStaticData: this.#persistent.staticData,
      getWorkflowStaticData: this.#persistent.staticData,
      getNodeParameter: this.#parameter,
      helpers: this.#helpers,
      $helpers: this.#helpers,
    };
    for (const [name, value] of Object.entries({ ...values, ...input.variables })) defineGlobal(name, value);
    defineLazyGlobal('luxon', luxon);
    for (const name of ['DateTime', 'Duration', 'Interval'] as const) defineLazyGlobal(name, () => luxon()[name]);
    if (!input.perItem) defineGlobal('items', input.items);
    this.moveTo(0);
  }

  /** Makes an item the current one. */
  moveTo(itemIndex: number): void {
    this.#itemIndex = itemIndex;
    const item = this.#item();
    defineGlobal('$itemIndex', itemIndex);
    defineGlobal('$json', item?.json ?? {});
    defineGlobal('$data', item?.json ?? {});
    defineGlobal('$binary', item?.binary ?? {});
    defineLazyGlobal('$now', () => luxon().DateTime.now());
    defineLazyGlobal('$today', () => luxon().DateTime.now().startOf('day'));
    if (!this.#input.perItem) return;
    defineGlobal('item', this.#input.style === 'functionItem' ? item?.json : item);
    if (this.#input.style !== 'functionItem') return;
    defineGlobal('index', itemIndex);
    this.#files = undefined;
    // The older form of Code can read and replace the files of its item only through these.
    const getBinaryData = (): unknown => this.#files ?? item?.binary;
    const setBinaryData = (files: unknown): void => {
      if (typeof files !== 'object' || files === null) throw new TypeError('setBinaryData() needs an object of files');
      this.#files = files;
    };
    defineGlobal('getBinaryData', getBinaryData);
    defineGlobal('setBinaryData', setBinaryData);
    defineGlobal('getBinaryDataAsync', async () => getBinaryData());
    defineGlobal('setBinaryDataAsync', async (files: unknown) => setBinaryData(files));
  }

  /** The files that the code set for the current item, as part of its result. */
  filesOfItem(): { binary?: object } {
    return this.#files === undefined ? {} : { binary: this.#files };
  }

  #item(): CodeItem | undefined {
    return this.#input.items[this.#itemIndex];
  }

  readonly #parameter = (name: unknown, _itemIndex?: unknown, fallback?: unknown): unknown => {
    const { parameters } = this.#input.node;
    return Object.hasOwn(parameters, String(name)) ? parameters[String(name)] : fallback;
  };

  #current(): object {
    const { items, previous } = this.#input;
    const item = (): CodeItem | undefined => this.#item();
    return {
      all: () => items,
      first: () => items[0],
      last: () => items.at(-1),
      itemMatching: (index: number) => items[index],
      params: previous.params ?? {},
      context: previous.context ?? {},
      get item() {
        return item();
      },
    };
  }

  /** `$item(2)`: the names that depend on the current item, for another item. */
  #asSeenFrom(index: number): object {
    const nodes = new Nodes(this.#input, () => index);
    const item = this.#input.items[index];
    return {
      $json: item?.json ?? {},
      $data: item?.json ?? {},
      $binary: item?.binary ?? {},
      $itemIndex: index,
      $node: nodes.byName,
      $: nodes.select,
    };
  }
}
