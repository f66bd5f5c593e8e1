import { marketProviders } from '../../terms/venues.ts';
import { marketName } from './market-name.ts';

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

/** Writes the markets in a sentence from the service, such as `binance|BTCUSDT`, by their names. */
export function withMarketNames(text: string): string {
  return text.replace(marketId, (id) => marketName(id));
}

const marketId = new RegExp(`\\b(?:${marketProviders.join('|')})\\|\\w+(?:[:.-]\\w+)*`, 'g');
