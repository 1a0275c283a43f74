import type { JsonObject } from '@weft/service-kit/json-values';

/** A model node of a workflow, its parameters resolved. */
export interface ModelNode {
  /** n8n's name of the kind, for example `lmChatOpenAi`. */
  readonly kind: string;
  readonly typeVersion: number;
  readonly parameters: JsonObject;
}
