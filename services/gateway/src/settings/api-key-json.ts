import type { ApiKey } from '@weft/proto/identity';
import { quote, timeText } from '../http/json-text';

/** The fields of a key, without the braces around them: what a list shows, and what stands beside a new key's value. */
export const apiKeyMembers = ({ id, name, createdAt }: ApiKey): string =>
  `"id":${quote(id)},"name":${quote(name)},"createdAt":${timeText(createdAt)}`;
