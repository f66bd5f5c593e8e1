const longest = 60;

/** Quotes user input in a message; long text is cut. */
export function quoted(text: string): string {
  return JSON.stringify(shortened(text));
}

/** Cuts long text for a message. */
export function shortened(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}...`;
}
