import type { AppDocument } from '@weft/app-model';
import type { KindDescriptor } from '@weft/node-catalogue';
import type { NodeContext } from '@weft/engine';
import type { CredentialParts } from '../shared/http/authentication/apply-credential';
import type { ResponseBudget } from '../shared/http/response/response-budget';

/** A credential of a node run. */
export interface AppCredential {
  readonly type: string;
  readonly parts: CredentialParts;
  /** `$credential`: its fields that are not secret. */
  readonly publicFields: Readonly<Record<string, string>>;
  /** Host patterns of its type; empty for any host. */
  readonly hosts: readonly string[];
}

/** State shared by all items of one run of an app's node. */
export interface AppRun {
  readonly app: AppDocument;
  readonly descriptor: KindDescriptor;
  readonly context: NodeContext;
  readonly budget: ResponseBudget;
  /** By type; each is requested once. */
  readonly credentials: Map<string, Promise<AppCredential>>;
}
