/** Messages of lower layers begin small and end bare; one that begins with an id or a field's name keeps that as it is. */
export function sentence(message: string): string {
  return /^\S*[_|:\d]/.test(message) ? ended(message) : ended(message.charAt(0).toUpperCase() + message.slice(1));
}

/** With a full stop, unless it ends with one or its like. */
export function ended(text: string): string {
  return /[.!?)]$/.test(text) ? text : `${text}.`;
}
