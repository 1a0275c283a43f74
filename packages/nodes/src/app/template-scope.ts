import type { Json, JsonObject } from '@weft/node-catalogue';
import { ExpressionError, type ExpressionScope, type RegexFallback, type ScopeItem } from '@weft/expressions';
import { DateTime } from 'luxon';
import type { PreparedLet } from './prepare-request';

/** Names that templates see, by name. */
export type Roots = Readonly<Record<string, Json | undefined>>;

/** The part of a run's scope that templates see. */
type BaseScope = Pick<ExpressionScope, 'timezone' | 'regexFallback' | 'now'>;

const NO_FIELDS: Readonly<Record<string, never>> = {};

/**
 * Scope of the templates of an app for one item: the item, the zone, the clock and the roots of the app. It knows
 * nothing of the workflow: no other nodes, no variables, no environment.
 */
export class TemplateScope implements ExpressionScope {
  readonly item: ScopeItem;
  readonly itemIndex = 0;
  readonly runIndex = 0;
  readonly inputItems: readonly ScopeItem[] = [];
  readonly nodeName = '';
  readonly nodeId = '';
  readonly nodeVersion = 0;
  readonly mode = '';
  readonly prevNode = undefined;
  readonly workflow = { id: '', name: '', active: false };
  readonly execution = { id: '', mode: '' };
  readonly vars = NO_FIELDS;
  readonly env = NO_FIELDS;
  readonly extra: Roots;
  readonly #base: BaseScope;

  constructor(base: BaseScope, json: JsonObject, roots: Roots) {
    this.#base = base;
    this.item = { json };
    this.extra = roots;
  }

  /** A scope for requests that no run makes. @param now in Unix milliseconds */
  static outsideOfRuns(now: () => number, roots: Roots): TemplateScope {
    const base = { timezone: 'UTC', regexFallback: undefined, now: () => DateTime.fromMillis(now(), { zone: 'UTC' }) };
    return new TemplateScope(base, {}, roots);
  }

  /** The same scope with further roots. */
  with(roots: Roots): TemplateScope {
    return new TemplateScope(this.#base, this.item.json, { ...this.extra, ...roots });
  }

  /** The same scope with values of `let`, each of which sees those before it. */
  withLet(values: PreparedLet): TemplateScope {
    if (values.length === 0) return this;
    const roots: Record<string, Json | undefined> = { ...this.extra };
    // It reads the object that grows.
    const scope = new TemplateScope(this.#base, this.item.json, roots);
    for (const [name, template] of values) roots[name] = template.json(scope);
    return scope;
  }

  get timezone(): string {
    return this.#base.timezone;
  }

  get regexFallback(): RegexFallback | undefined {
    return this.#base.regexFallback;
  }

  now(): DateTime {
    return this.#base.now();
  }

  hasNode(): boolean {
    return false;
  }

  isExecuted(): boolean {
    return false;
  }

  nodeOutput(name: string): never {
    throw new ExpressionError(`An app cannot read the node '${name}'`, { type: 'node_not_found', node: name });
  }

  pairedItem(name: string): never {
    return this.nodeOutput(name);
  }

  nodeParameters(): JsonObject {
    return {};
  }

  nodeContext(): JsonObject {
    return {};
  }

  executesOnce(): boolean {
    return false;
  }

  atItem(): ExpressionScope {
    return this;
  }
}
