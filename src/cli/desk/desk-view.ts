/** What the user chose to see: it changes with keys, never with events. */
export interface DeskView {
  readonly mode: 'watching' | 'help';
  /** Index of the selected row: positions first, then orders. */
  readonly selected: number;
  /** Shown in the last row until the next key. */
  readonly notice: string | undefined;
}

export const firstView: DeskView = { mode: 'watching', selected: 0, notice: undefined };
