/** What lies between two semicolons; those inside a quoted string are none, and one that never ends goes on to the end. */
const parameters = /(?:"(?:\\.|[^"\\])*(?:"|\\?$)|[^;"])+/g;

/**
 * Whether a body of this Content-Type is JSON in UTF-8 (API 4.5). Parameters that mean nothing here are ignored, for
 * `application/json` defines none (RFC 8259, 11); a charset that is told must be the one that is read.
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
