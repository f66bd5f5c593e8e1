const longest = 60;

/** What was typed, in quotes, as a message repeats it: of a long text its beginning. */
export function quoted(text: string): string {
  return JSON.stringify(shortened(text));
}

/** The same without quotes. */
export function shortened(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}...`;
}
