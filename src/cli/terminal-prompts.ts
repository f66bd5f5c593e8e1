import { confirm, password } from '@inquirer/prompts';

/** Asks on the terminal; on stderr, so that stdout carries results only. Enter alone is a no. */
export function confirmOnTerminal(message: string): Promise<boolean> {
  return confirm({ message, default: false }, { output: process.stderr });
}

/** Asks for a text that is not shown while it is typed or pasted; ends without one when the signal says so. */
export function secretOnTerminal(message: string, signal: AbortSignal): Promise<string> {
  return password({ message, mask: false }, { output: process.stderr, signal });
}
