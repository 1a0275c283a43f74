import type { Json, JsonObject } from '@weft/service-kit/json';

/** Behaviour of a node whose executor fails. `stopWorkflow` is the default. */
export type OnError = 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';

/** A stored credential that a node names, by credential type. The id is what counts; the name is for people. */
export interface CredentialReference {
  readonly id?: string;
  readonly name?: string;
}

/** One node of a workflow, as it was saved. Only the fields that the engine gives a meaning to. */
export interface NodeDefinition {
  readonly id: string;
  /** Unique within the workflow; the key in connections and in run data. */
  readonly name: string;
  /** `<prefix>-nodes-base.<kind>`; see `kindOf`. */
  readonly type: string;
  /** Absent in definitions that never stated one: the newest version of the kind is meant then. */
  readonly typeVersion?: number;
  /** Place on the canvas, [x, y]. The order of branches follows it. */
  readonly position: readonly [number, number];
  readonly parameters: JsonObject;
  /** By credential type, for example `httpHeaderAuth`. */
  readonly credentials?: Readonly<Record<string, CredentialReference>>;
  /** A disabled node passes its first input on unchanged. */
  readonly disabled?: boolean;
  readonly onError?: OnError;
  /** The older form of onError `continueRegularOutput`. */
  readonly continueOnFail?: boolean;
  readonly retryOnFail?: boolean;
  /** Tries in all, the first one counted. Held within 2 to 5 by the engine; 3 if absent. */
  readonly maxTries?: number;
  /** Milliseconds between tries. Held within 0 to 5,000 by the engine; 1,000 if absent. */
  readonly waitBetweenTries?: number;
  readonly alwaysOutputData?: boolean;
  readonly executeOnce?: boolean;
  readonly notes?: string;
  /** Stable identity of a webhook node, part of its address when the path is empty or holds parameters. */
  readonly webhookId?: string;
}

/** Where a link ends: the input number `index` of `node`. */
export interface LinkEnd {
  readonly node: string;
  /** Connection type; `main` carries items. */
  readonly type: string;
  readonly index: number;
}

/** By source node name, then by output type, then by output index: the ends of the links that leave there. */
export type Connections = Readonly<Record<string, Readonly<Record<string, readonly (readonly LinkEnd[])[]>>>>;

/** Settings of a workflow that have a meaning here. Everything else that came is kept in the stored text only. */
export interface WorkflowSettings {
  /** Unset means `v1`. `v0` is refused at activation and start. */
  readonly executionOrder?: string;
  /** IANA zone name of schedules and of `$now`. */
  readonly timezone?: string;
  /** Id of the workflow that is started when a run of this one fails. */
  readonly errorWorkflow?: string;
  /** Seconds after which a run is ended; absent: the default of the instance; not positive: never. */
  readonly executionTimeout?: number;
  readonly saveDataSuccessExecution?: string;
  readonly saveDataErrorExecution?: string;
  readonly callerPolicy?: string;
  /** Recovery of a run whose runner crashed: `resume` (the default), `restart` or `fail`. */
  readonly crashPolicy?: string;
  /** How many of its runs may run or wait at once, as it came; `concurrencyOf` reads it. */
  readonly concurrency?: Json;
  /**
   * What its schedules do about missed times and about runs that are still under way, as it came; `schedulePolicyOf`
   * reads it.
   */
  readonly schedule?: Json;
}

/** A workflow as the engine and the activation read it. Made by `readDefinition`. */
export interface WorkflowDefinition {
  readonly name: string;
  readonly nodes: readonly NodeDefinition[];
  readonly connections: Connections;
  readonly settings: WorkflowSettings;
  /** By node name: the items that stand for the node's output 0 in manual runs. */
  readonly pinData: Readonly<Record<string, readonly Json[]>>;
  /** Persistent state of nodes when the workflow was exported. */
  readonly staticData: JsonObject;
}

/** One link between two nodes, with both ends. */
export interface Link {
  readonly from: string;
  readonly output: number;
  readonly to: string;
  readonly input: number;
}

/** Something wrong with a definition. */
export interface DefinitionError {
  /** Name of the node it is about; absent if the error is about the workflow as a whole. */
  readonly node?: string;
  /** Where in the definition, for example `nodes[2].parameters.path`. */
  readonly field: string;
  /** One sentence for the person who can repair it. */
  readonly message: string;
}

/**
 * All `main` links of a definition, in the order in which they are listed. Links to nodes that do not exist are left
 * out.
 */
export function linksOf(definition: Pick<WorkflowDefinition, 'nodes' | 'connections'>): Link[] {
  const names = new Set(definition.nodes.map((node) => node.name));
  const links: Link[] = [];
  for (const [from, byType] of Object.entries(definition.connections)) {
    const outputs = Object.hasOwn(byType, 'main') ? byType['main'] : undefined;
    if (!names.has(from) || outputs === undefined) continue;
    outputs.forEach((ends, output) => {
      for (const end of ends) {
        if (end.type === 'main' && names.has(end.node)) links.push({ from, output, to: end.node, input: end.index });
      }
    });
  }
  return links;
}
