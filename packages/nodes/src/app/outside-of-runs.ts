import { APPS, readApp } from '@weft/apps';
import type { SecretMask } from '@weft/engine';
import {
  isExpression,
  isJsonObject,
  type Json,
  type JsonObject,
  type KindDescriptor,
  parameterOrDefault,
  plainValue,
  versionOf,
} from '@weft/node-catalogue';
import type { OutboundHttp } from '@weft/outbound';
import { describeKind } from '../descriptors/kinds';
import { ResponseBudget } from '../shared/http/response/response-budget';
import type { LoadedApp } from './app-run';
import { credentialOf } from './choose-credential';
import { ParameterReader, type ParameterSource } from './read-parameters';
import type { CallTarget } from './send-call';
import { type Roots, TemplateScope } from './template-scope';

/** Dependencies of requests that no run makes. */
export interface OutsidePorts {
  readonly http: OutboundHttp;
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** The app of the build that has a kind; undefined if none has. */
export function appOfBuild(kind: string): LoadedApp | undefined {
  const entry = APPS.find(({ kinds }) => kinds.includes(kind));
  const descriptor = entry === undefined ? undefined : describeKind(kind);
  return entry === undefined || descriptor === undefined ? undefined : { app: readApp(entry.name), descriptor };
}

/** A node for which requests are made outside of runs. */
export interface OutsideNode {
  /** Undefined for the newest. */
  readonly version: number | undefined;
  /** Those with expressions count as not set. */
  readonly parameters: JsonObject;
  readonly credential: { readonly type: string; readonly data: JsonObject } | undefined;
}

/** Limits of the requests, and what is theirs. */
export interface OutsideOptions {
  readonly mask: SecretMask;
  readonly signal: AbortSignal;
  /** Maximum size of all responses in bytes. */
  readonly maxResponseBytes: number;
  /** Further names for templates. */
  readonly roots: Roots;
}

/** The target of requests that no run makes. @throws NodeFailure if the credential cannot be used */
export function targetOutsideOfRuns(
  { app, descriptor }: LoadedApp,
  { version: wanted, parameters, credential }: OutsideNode,
  { http, now, sleep }: OutsidePorts,
  { mask, signal, maxResponseBytes, roots }: OutsideOptions,
): CallTarget {
  const version = versionOf(wanted === undefined ? {} : { typeVersion: wanted }, descriptor);
  const applied =
    credential === undefined
      ? undefined
      : credentialOf(app, credential.type, credential.data, { now, hide: (secret) => mask.add(secret) });
  const source = parametersOutsideOfRuns(parameters, descriptor, version);
  const { values, locators } = new ParameterReader(source, descriptor).read(0);
  const scope = TemplateScope.outsideOfRuns(now, {
    $p: values,
    $rl: locators,
    $version: version,
    $timezone: 'UTC',
    $credential: applied?.publicFields ?? {},
    $files: {},
    ...roots,
  });
  const run = {
    app,
    budget: new ResponseBudget(maxResponseBytes),
    context: { ports: { http, clock: { now, sleep }, files: undefined }, items: [], signal, pause: () => undefined },
  };
  return { run, itemIndex: 0, scope, credential: applied };
}

/** Parameters without a run: expressions cannot be resolved, so that what they give is not set. */
function parametersOutsideOfRuns(parameters: JsonObject, descriptor: KindDescriptor, version: number): ParameterSource {
  const plain = withoutExpressions(parameters);
  const read = (name: string): Json | undefined => plainValue(parameterOrDefault(plain, descriptor, version, name));
  return { node: { parameters: plain }, version, parameter: read, rawParameter: read };
}

function withoutExpressions(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]): [string, Json][] => {
      if (isExpression(value)) return [];
      return [[name, isJsonObject(value) ? withoutExpressions(value) : value]];
    }),
  );
}
