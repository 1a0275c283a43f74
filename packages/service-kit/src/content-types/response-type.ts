/**
 * Content type of a text or JSON response. A type set by the workflow gets the charset UTF-8, which is how it is sent,
 * whatever charset was set.
 */
export function typeInUtf8(stated: string): string {
  const [type = '', ...parameters] = stated.split(';').map((part) => part.trim());
  const others = parameters.filter((parameter) => parameter !== '' && !/^charset\s*=/i.test(parameter));
  return [type, ...others, 'charset=utf-8'].join('; ');
}
