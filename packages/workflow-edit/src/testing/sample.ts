import fc from 'fast-check';
import type { Json, JsonObject } from '@weft/node-catalogue/definitions';
import { openDocument, type WorkflowDocument } from '../document';

/** A workflow whose text has what a naive save would change: `1.0`, a large integer, spacing, escapes, equal keys. */
export const SAMPLE = `{
    "name": "Orders",  "nodes": [
      { "id": "a", "name": "Start", "type": "n8n-nodes-base.manualTrigger", "typeVersion": 1.0,
        "position": [ 0, 0 ], "parameters": {} },
      { "id": "b", "name": "Set", "type": "n8n-nodes-base.set", "typeVersion": 3.4, "position": [200, 0],
        "parameters": { "z": 12345678901234567890, "a": "={{ $('Start').item.json.x }}", "a2": "caf\\u00e9",
          "list": [1, 2.0, {"k": "v"}] } },
      { "id": "c", "name": "If", "type": "n8n-nodes-base.if", "typeVersion": 2, "position": [400, 0],
        "parameters": {"x": "={{ $node[\\"Set\\"].json.y + $node.Set.json.y }}"}, "twice": 1, "twice": 2 }
    ],
    "connections": {
      "Start": {"main": [[{"node": "Set", "type": "main", "index": 0}]]},
      "Set": { "main": [ [ { "node": "If", "type": "main", "index": 0 } ] ] }
    },
    "settings": {"executionOrder": "v1"},
    "pinData": {"Set": [{"json": {"n": 1.50}}]},
    "staticData": {"node:Set": {"last": 1}},
    "meta": {"instanceId": "x"}
}
`;

/** The document of `SAMPLE`. */
export function sample(): WorkflowDocument {
  return openDocument(SAMPLE);
}

/** A workflow from parts, with compact or indented text. */
export function documentOf(json: JsonObject, space: number | string = 2): WorkflowDocument {
  return openDocument(JSON.stringify({ name: 'W', nodes: [], connections: {}, ...json }, undefined, space));
}

/** A node as JSON. */
export function nodeOf(name: string, parameters: JsonObject = {}, more: JsonObject = {}): JsonObject {
  return { id: `id-${name}`, name, type: 'n8n-nodes-base.set', typeVersion: 3, position: [0, 0], parameters, ...more };
}

/** Links from each node to the next, through outputs and inputs 0. */
export function chain(...names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.slice(1).map((to, at) => [names[at] ?? '', { main: [[{ node: to, type: 'main', index: 0 }]] }]),
  );
}

/** JSON values of any form, without the key that is refused. */
export const anyJson: fc.Arbitrary<Json> = fc
  .jsonValue({ maxDepth: 3 })
  .map((value): Json => JSON.parse(JSON.stringify(value).replaceAll('"__proto__"', '"proto"')));

/** Names of nodes, with what breaks naive quoting. */
export const anyName: fc.Arbitrary<string> = fc
  .oneof(
    fc.constantFrom(
      "It's",
      'a "b"',
      'a\\b',
      '{{x}}',
      'a}}',
      '`t` ${y}',
      'constructor',
      'toString',
      'ü 名',
      '1',
      'a\nb',
      'Set',
    ),
    fc.string({ minLength: 1, maxLength: 12 }),
  )
  .filter((name) => name.trim() !== '' && name.isWellFormed() && name !== '__proto__');
