import type { AppDocument } from '@weft/app-model';
import type { Json, KindDescriptor } from '@weft/node-catalogue';
import type { NodeContext, NodePorts } from '@weft/engine';
import type { CredentialParts } from '../shared/http/authentication/apply-credential';
import { ResponseBudget } from '../shared/http/response/response-budget';

/** A credential of a node run. */
export interface AppCredential {
  readonly type: string;
  readonly parts: CredentialParts;
  /** `$credential`: its fields that are not secret. */
  readonly publicFields: Readonly<Record<string, string>>;
  /** Host patterns of its type; empty for any host. */
  readonly hosts: readonly string[];
}

/** Dependencies of the requests of an app. */
export interface CallContext extends Pick<NodeContext, 'items' | 'pause' | 'signal'> {
  /** Without files for requests that have none. */
  readonly ports: Pick<NodePorts, 'http' | 'clock'> & { readonly files: NodePorts['files'] | undefined };
}

/** State shared by requests of an app. */
export interface CallRun {
  readonly app: AppDocument;
  readonly context: CallContext;
  readonly budget: ResponseBudget;
}

/** State shared by all items of one run of an app's node. */
export interface AppRun extends CallRun {
  readonly descriptor: KindDescriptor;
  readonly context: NodeContext;
  /** By type; each is requested once. */
  readonly credentials: Map<string, Promise<AppCredential>>;
  /** Responses that items share, by step and request. */
  readonly shared: Map<string, Promise<Json>>;
}

/** An app, and the descriptor of one of its kinds. */
export interface LoadedApp {
  readonly app: AppDocument;
  readonly descriptor: KindDescriptor;
}

/** The state of a run that begins. */
export const newAppRun = ({ app, descriptor }: LoadedApp, context: NodeContext): AppRun => ({
  app,
  descriptor,
  context,
  budget: new ResponseBudget(),
  credentials: new Map(),
  shared: new Map(),
});
