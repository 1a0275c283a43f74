import type { CheckResult, JsonObject, ListedWorkflow } from '@weft/apply';
import { Failed, type Failure } from '../domain/failures';
import type { ObjectEvent, SourceFact, Synced, Write } from '../domain/facts';
import { FINALIZER, keyOf, setOf, type Metadata, type WeftWorkflow, type WorkflowSpec } from '../domain/objects';
import { reconcileWorkflow, type Ports } from '../domain/reconcile-workflow';

export const CLUSTER = 'test';
const PUBLIC_URL = 'https://weft.example.org';

/** Fate of one call: it fails before or after its effect, or the operator is killed after it. */
export type Fault = 'none' | 'before' | 'after' | 'killed';

class Killed extends Error {}

/** A write to Weft, with the object as it was then. */
export interface LoggedWrite {
  readonly action: Write['action'];
  readonly name: string;
  readonly wasDeleted: boolean;
  readonly wantedActive: boolean;
}

const EMPTY: SourceFact = { state: 'missing', message: 'No ConfigMap.' };
const hashOf = (definition: JsonObject): string => JSON.stringify(definition);

/** A definition that names a credential, an address and an error. */
export const definitionWith = (
  value: number,
  { path, credential, isBroken }: { path?: string; credential?: string; isBroken?: boolean } = {},
): JsonObject => ({
  name: 'n',
  nodes: [{ name: 'Webhook', value }],
  ...(path === undefined ? {} : { path }),
  ...(credential === undefined ? {} : { credential }),
  ...(isBroken === true ? { isBroken } : {}),
});

/** An API server and a Weft in memory, and an operator between them that can fail at every call. */
export class World {
  now = Date.parse('2026-11-30T00:00:00Z');
  startedAt = 0;
  readonly objects = new Map<string, WeftWorkflow>();
  readonly workflows = new Map<string, ListedWorkflow & { readonly definition: JsonObject }>();
  readonly credentials = new Set<string>();
  readonly writes: LoggedWrite[] = [];
  readonly events: ObjectEvent[] = [];
  /** Objects that were let go, with what remained of their workflow then. */
  readonly departures: { readonly spec: WorkflowSpec; readonly workflow: ListedWorkflow | undefined }[] = [];
  statusWrites = 0;
  /** Checks are old: they say that each address is free. */
  hasOldChecks = false;
  /** Consumed by the calls of the operator, one each. */
  faults: Fault[] = [];
  failure: Failure = { kind: 'unavailable', message: 'Weft does not answer.' };
  #numbers = 0;
  #synced = new Map<string, Synced>();
  #listed = new Map<string, ListedWorkflow | undefined>();

  #next(): string {
    this.#numbers += 1;
    return String(this.#numbers);
  }

  apply(name: string, spec: Partial<WorkflowSpec>): void {
    const before = this.objects.get(name);
    if (before?.metadata.deletionTimestamp !== undefined) return;
    const defaults = { active: true, driftPolicy: 'Revert', deletionPolicy: 'Deactivate', suspend: false } as const;
    const metadata: Metadata = before?.metadata ?? {
      name,
      namespace: 'team',
      uid: this.#next(),
      resourceVersion: this.#next(),
      generation: 0,
      creationTimestamp: new Date(this.now).toISOString(),
    };
    this.objects.set(name, {
      ...before,
      metadata: { ...metadata, generation: metadata.generation + 1, resourceVersion: this.#next() },
      spec: { ...defaults, ...spec },
    });
  }

  annotate(name: string, annotations: Record<string, string>): void {
    const object = this.objects.get(name);
    if (object !== undefined) this.objects.set(name, { ...object, metadata: { ...object.metadata, annotations } });
  }

  remove(name: string): void {
    const object = this.objects.get(name);
    if (object === undefined) return;
    if ((object.metadata.finalizers ?? []).length === 0) this.objects.delete(name);
    else if (object.metadata.deletionTimestamp === undefined)
      this.objects.set(name, {
        ...object,
        metadata: { ...object.metadata, deletionTimestamp: new Date(this.now).toISOString() },
      });
  }

  workflowOf(name: string): ListedWorkflow | undefined {
    const key = keyOf(CLUSTER, { namespace: 'team', name });
    return [...this.workflows.values()].find((one) => one.key === key);
  }

  /** Someone changes a workflow in the console. */
  edit(name: string, change: { definition?: JsonObject; active?: boolean }): void {
    const workflow = this.workflowOf(name);
    if (workflow !== undefined) this.#store(workflow.id, change, false);
  }

  #store(
    id: string,
    { definition, active, key }: { definition?: JsonObject; active?: boolean; key?: string },
    isManaged: boolean,
  ): ListedWorkflow {
    const before = this.workflows.get(id);
    const versionId = definition === undefined ? (before?.versionId ?? '') : this.#next();
    const stored = definition ?? before?.definition ?? {};
    const isActive = active ?? before?.active ?? false;
    const managed = isManaged
      ? { by: 'kubernetes' as const, set: setOf(CLUSTER, 'team'), appliedVersionId: versionId }
      : before?.managed;
    const workflow = {
      id,
      name: 'n',
      active: isActive,
      versionId,
      etag: this.#next(),
      hash: hashOf(stored),
      definition: stored,
      ...(key === undefined ? (before?.key === undefined ? {} : { key: before.key }) : { key }),
      ...(managed === undefined ? {} : { managed }),
    };
    this.workflows.set(id, workflow);
    return workflow;
  }

  /** A workflow that the operator does not manage. */
  plant(name: string, definition: JsonObject): string {
    const id = `w${this.#next()}`;
    this.#store(id, { definition, key: keyOf(CLUSTER, { namespace: 'team', name }) }, false);
    return id;
  }

  #holderOf(definition: JsonObject, except: string | undefined): string | undefined {
    const { path } = definition;
    if (path === undefined) return undefined;
    const others = [...this.workflows.values()].filter(({ id, active }) => active && id !== except);
    return others.find((one) => one.definition['path'] === path)?.id;
  }

  #check(definition: JsonObject, id: string | undefined): CheckResult {
    const { path, credential, isBroken } = definition;
    const isBad = isBroken === true;
    const name = typeof credential === 'string' ? credential : undefined;
    const takenBy = this.hasOldChecks ? null : (this.#holderOf(definition, id) ?? null);
    return {
      definition: isBad ? null : definition,
      hash: isBad ? null : hashOf(definition),
      fields: isBad ? [{ field: 'nodes[0].type', message: 'is unknown.' }] : [],
      warnings: [],
      credentials:
        name === undefined
          ? []
          : [{ node: 'n', type: 't', name, id: null, how: this.credentials.has(name) ? 'name' : 'none' }],
      runnable: !isBad,
      routes: typeof path === 'string' ? [{ method: 'POST', path, node: 'Webhook', takenBy }] : [],
    };
  }

  #write(name: string, write: Write): ListedWorkflow | undefined {
    const object = this.objects.get(name);
    this.writes.push({
      action: write.action,
      name,
      wasDeleted: object?.metadata.deletionTimestamp !== undefined,
      wantedActive: object?.spec.active ?? false,
    });
    const key = keyOf(CLUSTER, { namespace: 'team', name });
    if (write.action === 'create') {
      if ([...this.workflows.values()].some((one) => one.key === key))
        throw new Failed({ kind: 'outdated', message: 'The key is taken.' });
      if (write.active && this.#holderOf(write.definition, undefined) !== undefined)
        throw new Failed({ kind: 'path-taken', message: 'The path is taken.' });
      return this.#store(`w${this.#next()}`, { definition: write.definition, active: write.active, key }, true);
    }
    const stored = this.workflows.get(write.workflow.id);
    if (stored === undefined) throw new Failed({ kind: 'not-found', message: 'No such workflow.' });
    if (stored.etag !== write.workflow.etag) throw new Failed({ kind: 'outdated', message: 'Changed meanwhile.' });
    if (write.action === 'delete') {
      this.workflows.delete(stored.id);
      return undefined;
    }
    if (write.action === 'replace') return this.#store(stored.id, { definition: write.definition, key }, true);
    if (write.action === 'activate' && this.#holderOf(stored.definition, stored.id) !== undefined)
      throw new Failed({ kind: 'path-taken', message: 'The path is taken.' });
    const managed = stored.managed?.appliedVersionId === stored.versionId;
    return this.#store(stored.id, { active: write.action === 'activate' }, managed);
  }

  /** One call of the operator, with its fault. */
  #call<Value>(isWeft: boolean, effect: () => Value): Promise<Value> {
    const fault = this.faults.shift() ?? 'none';
    const fail = (): Promise<never> =>
      Promise.reject(isWeft ? new Failed(this.failure) : new Error('The API server does not answer.'));
    if (fault === 'before') return fail();
    try {
      const value = effect();
      if (fault === 'after') return fail();
      return fault === 'killed' ? Promise.reject(new Killed()) : Promise.resolve(value);
    } catch (error) {
      return Promise.reject(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #change(metadata: Metadata, change: (object: WeftWorkflow) => WeftWorkflow | undefined): Metadata | undefined {
    const object = this.objects.get(metadata.name);
    if (object?.metadata.uid !== metadata.uid) return undefined;
    const changed = change(object);
    if (changed === undefined) {
      this.objects.delete(metadata.name);
      this.departures.push({ spec: object.spec, workflow: this.workflowOf(metadata.name) });
    } else this.objects.set(metadata.name, changed);
    return changed?.metadata;
  }

  #ports(): Ports {
    const find = (name: string): ListedWorkflow | undefined => {
      if (!this.#listed.has(name)) this.#listed.set(name, this.workflowOf(name));
      return this.#listed.get(name);
    };
    return {
      weft: {
        find: ({ name }) => this.#call(true, () => find(name)),
        search: (_, { id }) => this.#call(true, () => this.workflows.get(id ?? '')),
        check: (_, source, workflow) => this.#call(true, () => this.#check(source.definition, workflow?.id)),
        write: ({ name }, write) =>
          this.#call(true, () => {
            const written = this.#write(name, write);
            this.#listed.set(name, written);
            return written;
          }),
        forget: ({ name }) => void this.#listed.delete(name),
      },
      objects: {
        readSource: ({ metadata }) =>
          this.#call(false, () => {
            const { metadata: now, spec } = this.objects.get(metadata.name) ?? {};
            if (now === undefined || spec?.definition === undefined) return EMPTY;
            if (now.generation !== metadata.generation) return { state: 'changed' as const };
            const source = { version: String(metadata.generation), definition: spec.definition };
            return { state: 'found' as const, source };
          }),
        setFinalizer: (metadata, isSet) =>
          this.#call(false, () =>
            this.#change(metadata, (object) =>
              !isSet && object.metadata.deletionTimestamp !== undefined
                ? undefined
                : { ...object, metadata: { ...object.metadata, finalizers: isSet ? [FINALIZER] : [] } },
            ),
          ),
        writeStatus: (metadata, status) =>
          this.#call(false, () => {
            this.statusWrites += 1;
            this.#change(metadata, (object) => ({ ...object, status }));
          }),
        recordEvent: (_, event) => void this.events.push(event),
      },
    };
  }

  /** The operator reconciles an object, as a watch event or a poll would make it do. */
  async reconcile(name: string, object = this.objects.get(name)): Promise<void> {
    if (object === undefined) return;
    const given = { cluster: CLUSTER, publicUrl: PUBLIC_URL, startedAt: this.startedAt, now: () => this.now };
    try {
      const { synced } = await reconcileWorkflow(this.#ports(), given, object, this.#synced.get(name));
      if (synced === undefined) this.#synced.delete(name);
      else this.#synced.set(name, synced);
    } catch (error) {
      // A failure of the API server leaves the former memory; a killed operator has none.
      if (error instanceof Killed) this.restart();
      else this.#synced.delete(name);
    }
  }

  /** The operator starts again, without memory. */
  restart(): void {
    this.#synced.clear();
    this.#listed.clear();
  }

  /** Polls Weft and reconciles everything, without faults, until nothing changes. */
  async settle(): Promise<void> {
    this.faults = [];
    for (let round = 0; round < 8; round += 1) {
      this.now += 60_000;
      this.#listed.clear();
      for (const name of this.objects.keys()) await this.reconcile(name);
    }
  }
}
