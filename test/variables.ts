/** Sets environment variables of this process, or removes those that are undefined; returns what puts them back. */
export function setVariables(wanted: Readonly<Record<string, string | undefined>>): () => void {
  const before = Object.keys(wanted).map((name) => [name, process.env[name]] as const);
  const set = (name: string, value: string | undefined) => {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  };
  for (const [name, value] of Object.entries(wanted)) set(name, value);
  return () => {
    for (const [name, value] of before) set(name, value);
  };
}
