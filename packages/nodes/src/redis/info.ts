import type { Json, JsonObject } from '@weft/node-catalogue';

/** The output of INFO as an object: `key:value` and `key:a=1,b=2` by line, numbers as numbers. */
export function infoOf(text: string): JsonObject {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.flatMap((line): [string, Json][] => {
      const [key = '', value] = line.split(':');
      return value === undefined ? [] : [[key, valueOf(value.trim())]];
    }),
  );
}

function valueOf(value: string): Json {
  if (!value.includes('=')) return plain(value);
  return Object.fromEntries(
    value.split(',').map((pair) => {
      const [name = '', entry = ''] = pair.split('=');
      return [name, plain(entry)];
    }),
  );
}

function plain(value: string): Json {
  return /^[\d.]+$/.test(value) ? Number.parseFloat(value) : value;
}
