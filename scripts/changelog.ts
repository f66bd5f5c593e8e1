/**
 * Gives the topmost section of the changelog, `## X.Y.Z - unreleased`, a version and a date (ISO, a day), and returns
 * the changelog and the text of that section. Throws if there is nothing to release: another section is on top, or the
 * section is empty.
 */
export function datedChangelog(changelog: string, version: string, date: string): { text: string; section: string } {
  const heading = /^## .*$/m.exec(changelog);
  if (heading === null || !/^## \S+ - unreleased$/.test(heading[0]))
    throw new Error('CHANGELOG.md must begin with a section "## X.Y.Z - unreleased".');
  const rest = changelog.slice(heading.index + heading[0].length);
  const end = rest.search(/^## /m);
  const section = (end < 0 ? rest : rest.slice(0, end)).trim();
  if (section === '') throw new Error('the unreleased section of CHANGELOG.md is empty.');
  return { text: `${changelog.slice(0, heading.index)}## ${version} - ${date}${rest}`, section };
}
