import { sourceRegistry } from '../src/terminal/cli/source-registry.ts';
import { commandTree } from '../src/terminal/cli/tree/command-tree.ts';
import { manPage } from '../src/terminal/cli/tree/man-page.ts';
import { plainPalette } from '../src/terminal/console/output/themes.ts';

/** The man page of all commands. */
export async function manPageOfAll(): Promise<string> {
  const catalog = await sourceRegistry();
  return manPage(commandTree({ catalog, write: () => {}, columns: 80, palette: plainPalette, act: () => {} }).named());
}
