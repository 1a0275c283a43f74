import type { Json, JsonObject } from '@weft/service-kit/json-values';

/** Behaviour of a node whose executor fails. `stopWorkflow` is the default. */
export type OnError = 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';

/** A stored credential that a node names, by credential type. Only the id counts; the name is for people. */
export interface CredentialReference {
  readonly id?: string;
  readonly name?: string;
}

/** One node of a workflow, as stored: only the fields that the engine uses. */
export interface NodeDefinition {
  readonly id: string;
  /** Unique within the workflow; the key in connections and in run data. */
  readonly name: string;
  /** `<prefix>-nodes-base.<kind>`; see `kindOf`. */
  readonly type: string;
  /** Absent: the newest version of the kind. */
  readonly typeVersion?: number;
  /** Position on the canvas, [x, y]. It determines the order of branches. */
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
  /** Number of tries including the first. Clamped to 2 to 5 by the engine; 3 if absent. */
  readonly maxTries?: number;
  /** Milliseconds between tries. Clamped to 0 to 5,000 by the engine; 1,000 if absent. */
  readonly waitBetweenTries?: number;
  readonly alwaysOutputData?: boolean;
  readonly executeOnce?: boolean;
  /** For tools: a person must approve each call that a model makes. */
  readonly approval?: 'required';
  readonly notes?: string;
  /** Stable identity of a webhook node, part of its address when the path is empty or holds parameters. */
  readonly webhookId?: string;
}

/** The end of a link: input `index` of `node`. */
export interface LinkEnd {
  readonly node: string;
  /** Connection type; `main` carries items. */
  readonly type: string;
  readonly index: number;
}

/** By source node name, then by output type, then by output index: the ends of the links from there. */
export type Connections = Readonly<Record<string, Readonly<Record<string, readonly (readonly LinkEnd[])[]>>>>;

/** Settings of a workflow that have a meaning here. All others are retained in the stored text only. */
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
  /** Headers with the sender's id of an event, unparsed; `eventKeyRuleOf` reads it. */
  readonly webhookKey?: Json;
  /** Number of its runs that may run or wait at once, unparsed; `concurrencyOf` reads it. */
  readonly concurrency?: Json;
  /**
   * Policy of its schedules for missed times and for runs that are still running, unparsed; `schedulePolicyOf` reads
   * it.
   */
  readonly schedule?: Json;
  /** Limits on the models of one run, unparsed: `maxTokens`. */
  readonly models?: Json;
}

/** A revision of a user-defined app, as a version of a workflow holds it. */
export interface PinnedApp {
  readonly name: string;
  /** Of the whole revision. */
  readonly digest: string;
  /** Its kinds that the workflow uses, at least one: names, or whole types of other packages. */
  readonly kinds: readonly string[];
  /** The app with these kinds as JSON, which is parsed when it is first needed. */
  readonly json: string;
}

/** A workflow as the engine and the activation read it, from `readDefinition`. */
export interface WorkflowDefinition {
  readonly name: string;
  readonly nodes: readonly NodeDefinition[];
  readonly connections: Connections;
  readonly settings: WorkflowSettings;
  /** By node name: the items that replace the node's output 0 in manual runs. */
  readonly pinData: Readonly<Record<string, readonly Json[]>>;
  /** Persistent state of nodes when the workflow was exported. */
  readonly staticData: JsonObject;
  /** User-defined apps that its nodes use; absent: none. Never read from what users send. */
  readonly apps?: readonly PinnedApp[];
}

/** One link between two nodes, with both ends. */
export interface Link {
  readonly from: string;
  readonly output: number;
  readonly to: string;
  readonly input: number;
}

/** An error in a definition. */
export interface DefinitionError {
  /** Name of the node it is about; absent if the error is about the workflow as a whole. */
  readonly node?: string;
  /** Path in the definition, for example `nodes[2].parameters.path`. */
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

/** The zone a workflow states; undefined if it leaves that to the instance. */
export function timezoneOf(definition: Pick<WorkflowDefinition, 'settings'>): string | undefined {
  const { timezone } = definition.settings;
  return timezone === undefined || timezone === '' || timezone === 'DEFAULT' ? undefined : timezone;
}
