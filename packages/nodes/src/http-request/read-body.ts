import { field, type JsonObject } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';
import { setPath } from '../shared/values/json-path';
import { byName, fieldsOf, jsonFields, jsonOf, textOf } from '../shared/http/request/read-fields';
import type { BodySettings, Fields, Part, Read } from '../shared/http/settings';

/**
 * Reads the body from the parameters.
 * @throws NodeFailure if they are invalid
 */
export function readBody(read: Read, version: number): BodySettings {
  const contentType = textOf(read('contentType') ?? 'json');
  const rawType = textOf(read('rawContentType') ?? '');
  switch (contentType) {
    case 'json':
      return {
        kind: 'json',
        value:
          read('specifyBody') === 'json'
            ? jsonOf(read('jsonBody'), 'JSON Body')
            : objectOf(fieldsOf(read('bodyParameters.parameters')), version),
      };
    case 'form-urlencoded':
      if (read('specifyBody') === 'string')
        return { kind: 'form', fields: byName([...new URLSearchParams(textOf(read('body') ?? ''))], 1) };
      return { kind: 'form', fields: byName(fieldsOfBody(read), version) };
    case 'multipart-form-data':
      return { kind: 'multipart', parts: partsOf(read) };
    case 'binaryData':
      return { kind: 'file', property: textOf(read('inputDataFieldName') ?? 'data') };
    case 'raw':
      return {
        kind: 'text',
        text: textOf(read('body') ?? ''),
        contentType: rawType || 'text/plain',
        isTypeFixed: rawType !== '',
      };
    default:
      throw new NodeFailure(
        `The body content type "${contentType}" is not supported. Use json, form-urlencoded, ` +
          'multipart-form-data, binaryData or raw.',
      );
  }
}

/** Since version 4 a name may be a path: dots and brackets lead into objects and arrays. */
function objectOf(fields: Fields, version: number): JsonObject {
  if (version < 4) return Object.fromEntries(fields);
  const object: JsonObject = {};
  for (const [name, value] of fields) setPath(object, name, value);
  return object;
}

/** In versions 1 and 2 the fields of a form could be JSON; version 4 has no such path. */
function fieldsOfBody(read: Read): Fields {
  const json = read('bodyFieldsJson');
  return json === undefined ? fieldsOf(read('bodyParameters.parameters')) : jsonFields(json, 'Body Parameters');
}

function partsOf(read: Read): Part[] {
  const json = jsonFields(read('bodyFieldsJson'), 'Body Parameters').map(([name, value]): Part => ({ name, value }));
  const list = read('bodyParameters.parameters');
  const parts = (Array.isArray(list) ? list : []).flatMap((entry): Part[] => {
    const name = textOf(field(entry, 'name') ?? '');
    if (name === '') return [];
    const isFile = field(entry, 'parameterType') === 'formBinaryData';
    return [
      isFile
        ? { name, file: textOf(field(entry, 'inputDataFieldName') ?? 'data') }
        : { name, value: field(entry, 'value') ?? '' },
    ];
  });
  return [...json, ...parts];
}
