import { type Json, isJsonObject, listField, objectField, textField } from '@weft/service-kit/json-values';

/** Milliseconds after which the service accepts a retry, or undefined. */
export function retryAfterOf(
  headers: Readonly<Record<string, string | readonly string[]>>,
  body: Json,
  now: () => number = Date.now,
): number | undefined {
  const exact = Number(headers['retry-after-ms'] ?? Number.NaN);
  if (Number.isFinite(exact) && exact >= 0) return exact;
  const header = headers['retry-after'];
  return (typeof header === 'string' ? fromHeader(header, now) : undefined) ?? fromBody(body);
}

/** Seconds, or a date. */
function fromHeader(header: string, now: () => number): number | undefined {
  const seconds = header.trim() === '' ? Number.NaN : Number(header);
  if (Number.isFinite(seconds)) return seconds >= 0 ? seconds * 1_000 : undefined;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now());
}

/** Gemini has it among the details of the error, for example "34.5s". */
function fromBody(body: Json): number | undefined {
  const own = Array.isArray(body) ? body[0] : body;
  if (!isJsonObject(own)) return undefined;
  for (const detail of listField(objectField(own, 'error'), 'details')) {
    const seconds = /^(\d{1,6}(?:\.\d{1,9})?)s$/.exec(textField(detail, 'retryDelay') ?? '')?.[1];
    if (seconds !== undefined) return Number(seconds) * 1_000;
  }
  return undefined;
}
