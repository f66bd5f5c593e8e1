/**
 * The text between two semicolons; semicolons in a quoted string do not count, and an unclosed string runs to the end.
 */
const parameters = /(?:"(?:\\.|[^"\\])*(?:"|\\?$)|[^;"])+/g;

/**
 * Whether a body of this Content-Type is JSON in UTF-8 (API 4.5). Unknown parameters are ignored, since
 * `application/json` defines none (RFC 8259, 11); a charset, if given, must be UTF-8.
 */
export function isJsonType(contentType = ''): boolean {
  const [mediaType] = contentType.split(';', 1);
  if (mediaType!.trim().toLowerCase() !== 'application/json') return false;
  return (contentType.slice(mediaType!.length).match(parameters) ?? []).every(isNoOtherCharset);
}

function isNoOtherCharset(parameter: string): boolean {
  const [name, value = ''] = parameter.split(/=(.*)/s, 2);
  return name!.trim().toLowerCase() !== 'charset' || /^utf-?8$/i.test(unquoted(value.trim()));
}

function unquoted(value: string): string {
  const quoted = /^"(.*)"$/s.exec(value)?.[1];
  return quoted === undefined ? value : quoted.replace(/\\(.)/gs, '$1');
}
