import type { JsonObject } from '@weft/node-catalogue';
import type { CaseWorld, NodeCase } from '../../testing/cases/node-case';

type CaseRun = Exclude<NodeCase['run'], (world: CaseWorld) => unknown>;

/** The credential of a node that calls a service itself. */
export interface VendorCredential {
  readonly type: string;
  /** Its data. @param url address of the local server */
  readonly data: (url: string) => JsonObject;
  /** Parameters that all cases have. */
  readonly parameters?: JsonObject;
}

/** Runs of such a node on one item, `{ q: 'Hi' }`. */
export const vendorRun =
  ({ type, data, parameters: shared = {} }: VendorCredential) =>
  (parameters: JsonObject) =>
  ({ url }: CaseWorld): CaseRun => ({
    items: [{ q: 'Hi' }],
    parameters: { ...shared, ...parameters },
    node: { credentials: { [type]: { id: 'c1', name: type } } },
    credential: data(url),
  });
