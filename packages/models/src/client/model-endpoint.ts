import type { ModelFormat } from '../chat-model';
import type { Vendor } from '../formats/openai-chat/vendors';

/** The address of a model, and its protocol. */
export interface ModelEndpoint {
  readonly format: ModelFormat;
  /** Absolute URL without the path of the format, for example `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  /** Name of the model; with `azure`, of the deployment. */
  readonly model: string;
  /** Differences of services that speak `openai-chat`; `openai` if absent. */
  readonly vendor?: Vendor;
  /** Sent in the header of the format. */
  readonly apiKey?: string;
  /** Required by `azure`. */
  readonly apiVersion?: string;
  /** Further headers, all of which are treated as secrets when a redirect leaves the host. */
  readonly headers?: readonly (readonly [string, string])[];
  /** Host patterns that the key may be sent to. */
  readonly allowedHosts?: readonly string[];
}
