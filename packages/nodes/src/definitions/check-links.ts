import {
  type DefinitionError,
  descriptorAmong,
  type KindTable,
  type LinkEnd,
  MAX_FIELD_ERRORS,
  type NodeDefinition,
  type PortCounts,
  portCountsOf,
  type WorkflowDefinition,
} from '@weft/node-catalogue/definitions';
import { nearName } from './near-name';

type Graph = Pick<WorkflowDefinition, 'nodes' | 'connections'>;

/** A link that is never followed. */
interface DeadLink extends DefinitionError {
  /** Name of its source node. */
  readonly source: string;
  /** True if it can only be a misspelling, because the intended name is known. */
  readonly isTypo: boolean;
}

/** Number of names for which a similar name is searched; further ones are only reported. */
const MAX_SEARCHES = 200;

/** The AI connection types, which are not followed here. */
const isKnownType = (type: string): boolean => type === 'main' || type.startsWith('ai_');

const meant = (found: string | undefined): string =>
  found === undefined ? '' : ` Did you mean ${JSON.stringify(found)}?`;

const shown = (name: string): string => JSON.stringify(name.slice(0, 100));

/** Checks the links of one workflow. */
class LinkCheck {
  readonly #nodes: ReadonlyMap<string, NodeDefinition>;
  readonly #names: readonly string[];
  readonly #near = new Map<string, string | undefined>();

  constructor(
    private readonly graph: Graph,
    private readonly kinds: KindTable,
  ) {
    this.#nodes = new Map(graph.nodes.map((node) => [node.name, node]));
    this.#names = [...this.#nodes.keys()];
  }

  *deadLinks(): Generator<DeadLink> {
    for (const [source, byType] of Object.entries(this.graph.connections)) {
      const path = `connections[${JSON.stringify(source)}]`;
      if (Object.values(byType).every((outputs) => outputs.every((ends) => ends.length === 0))) continue;
      if (!this.#nodes.has(source)) {
        // These links are left over from a renamed node if the similar node has links already.
        const near = this.#nearNode(source, (name) => !Object.hasOwn(this.graph.connections, name));
        const message = `No node is called ${shown(source)}, so the links from it are never followed.${meant(near)}`;
        yield { source, field: path, message, isTypo: near !== undefined };
        continue;
      }
      for (const [type, outputs] of Object.entries(byType)) {
        const dead = this.#deadType(source, type, `${path}.${type}`);
        if (dead !== undefined) yield dead;
        else if (type === 'main') yield* this.#deadOutputs(source, outputs, `${path}.main`);
      }
    }
  }

  *#deadOutputs(source: string, outputs: readonly (readonly LinkEnd[])[], path: string): Generator<DeadLink> {
    const count = this.#portsOf(source)?.outputs;
    for (const [output, ends] of outputs.entries()) {
      if (ends.length === 0) continue;
      const field = `${path}[${output}]`;
      if (count !== undefined && output >= count) {
        const message = `Node ${shown(source)} has no output ${output} (it has ${count}), so the link is ignored.`;
        yield { source, field, message, isTypo: false };
      }
      for (const [index, end] of ends.entries()) yield* this.#deadEnd(source, end, `${field}[${index}]`);
    }
  }

  *#deadEnd(source: string, { node, type, index }: LinkEnd, path: string): Generator<DeadLink> {
    const dead = this.#deadType(source, type, `${path}.type`);
    if (dead !== undefined) yield dead;
    if (!this.#nodes.has(node)) {
      const near = this.#nearNode(node);
      const message = `No node is called ${shown(node)}, so this link is never followed.${meant(near)}`;
      yield { source, field: `${path}.node`, message, isTypo: near !== undefined };
      return;
    }
    const inputs = this.#portsOf(node)?.inputs;
    // Links into a trigger, which has no inputs, are followed.
    if (inputs === undefined || inputs === 0 || index < inputs) return;
    const message = `Node ${shown(node)} has no input ${index} (it has ${inputs}), so its items are ignored.`;
    yield { source, field: `${path}.index`, message, isTypo: false };
  }

  #deadType(source: string, type: string, field: string): DeadLink | undefined {
    if (isKnownType(type)) return undefined;
    const near = nearName(type, ['main']);
    const message = `${shown(type)} is not a type of connection, so it is never followed.${meant(near)}`;
    return { source, field, message, isTypo: near !== undefined };
  }

  #portsOf(name: string): PortCounts | undefined {
    const node = this.#nodes.get(name);
    const descriptor = node === undefined ? undefined : descriptorAmong(node, this.kinds);
    return node === undefined || descriptor === undefined ? undefined : portCountsOf(node, descriptor);
  }

  #nearNode(name: string, isMeant: (found: string) => boolean = () => true): string | undefined {
    if (!this.#near.has(name)) {
      if (this.#near.size >= MAX_SEARCHES) return undefined;
      this.#near.set(name, nearName(name, this.#names));
    }
    const found = this.#near.get(name);
    return found !== undefined && isMeant(found) ? found : undefined;
  }
}

const bounded = (links: Iterable<DeadLink>, isReported: (link: DeadLink) => boolean): DefinitionError[] => {
  const errors: DefinitionError[] = [];
  for (const link of links) {
    if (!isReported(link)) continue;
    errors.push({ field: link.field, message: link.message });
    if (errors.length === MAX_FIELD_ERRORS) break;
  }
  return errors;
};

/**
 * Links that can only be misspellings: of the name of a node or of the type `main`. They prevent an activation or a
 * start. Other links to nowhere also occur in published workflows, and are ignored (decision 0057).
 * @param among names of the nodes whose links count; all by default
 */
export function linkErrors(definition: Graph, kinds: KindTable, among?: ReadonlySet<string>): DefinitionError[] {
  const names = new Set(definition.nodes.map(({ name }) => name));
  const counts = (source: string): boolean => among === undefined || !names.has(source) || among.has(source);
  return bounded(new LinkCheck(definition, kinds).deadLinks(), ({ isTypo, source }) => isTypo && counts(source));
}

/** All links that are never followed, at most `MAX_FIELD_ERRORS`. */
export function linkWarnings(definition: Graph, kinds: KindTable): DefinitionError[] {
  return bounded(new LinkCheck(definition, kinds).deadLinks(), () => true);
}
