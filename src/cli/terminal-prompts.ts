import { confirm } from '@inquirer/prompts';

/** Asks on the terminal; on stderr, so that stdout carries results only. Enter alone is a no. */
export function confirmOnTerminal(message: string): Promise<boolean> {
  return confirm({ message, default: false }, { output: process.stderr });
}
