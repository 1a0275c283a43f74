import { appendFileSync } from 'node:fs';
import type { ModelRequest } from './serve-models';

/** Variable with the path of a file to which every request to the stand-in is added, as one line of JSON. */
const FILE = 'MODEL_REQUESTS_FILE';

/** Records a request for a check of all requests that tests send. Nothing happens without the variable. */
export function recordRequest({ format, path, body }: ModelRequest): void {
  const file = process.env[FILE];
  if (file !== undefined && file !== '') appendFileSync(file, `${JSON.stringify({ format, path, body })}\n`);
}
