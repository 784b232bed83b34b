/** One measured figure: ours, and where there is one the bare work of the same run and the ratio to it. */
export interface Figure {
  name: string;
  ours: number;
  bare?: number;
  unit: string;
  note?: string;
}
