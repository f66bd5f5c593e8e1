/**
 * Turns a lower layer's message into a sentence: capitalized and ended. A leading id or field name is left unchanged.
 */
export function sentence(message: string): string {
  return /^\S*[_|:\d]/.test(message) ? ended(message) : ended(message.charAt(0).toUpperCase() + message.slice(1));
}

/** Adds a period unless the text already ends in punctuation. */
export function ended(text: string): string {
  return /[.!?)]$/.test(text) ? text : `${text}.`;
}

/** A sentence of the service with market ids as perp writes them for people: `binance:BTCUSDT`. */
export function withColons(text: string): string {
  return text.replace(venue, '$1:');
}

const venue = /\b(binance|bybit|hyperliquid|lighter|fpx)\|/g;
