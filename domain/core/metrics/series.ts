// Counters and histograms in the text format of Prometheus, version 0.0.4. Own code: prom-client 15 takes 0.45 s to load
// and 0.7 to 1.1 µs an observation with two labels; this takes 0.2 µs.

/** A number of each combination of labels that only goes up. */
export class Counter {
  private readonly counts = new Map<string, number>();

  /** `present`: values of the labels that are shown as 0 before they are counted. */
  constructor(
    private readonly name: string,
    private readonly help: string,
    private readonly labels: readonly string[],
    present: readonly (readonly string[])[] = [],
  ) {
    for (const values of present) this.add(values, 0);
  }

  /**
   * `values` in the order of the labels, from a small fixed set, because each combination is kept until the process
   * ends.
   */
  add(values: readonly string[], by = 1): void {
    const key = values.join(separator);
    this.counts.set(key, (this.counts.get(key) ?? 0) + by);
  }

  get text(): string {
    return metricText(
      this.name,
      "counter",
      this.help,
      [...this.counts].map(([key, value]) => [labelsOf(this.labels, key), value]),
    );
  }
}

interface Observed {
  /** How many observations are in each bucket alone; the last bucket is above all bounds. */
  counts: Float64Array;
  sum: number;
}

/** For each of some fixed bounds, how often an observation was at most that bound. */
export class Histogram {
  private readonly observed = new Map<string, Observed>();

  /** `bounds` in ascending order, in the unit at the end of the name. */
  constructor(
    private readonly name: string,
    private readonly help: string,
    private readonly bounds: readonly number[],
    private readonly labels: readonly string[] = [],
  ) {
    if (labels.length === 0) this.of("");
  }

  /** `values` as of `Counter.add`. */
  observe(value: number, values: readonly string[] = []): void {
    const observed = this.of(values.join(separator));
    let bucket = 0;
    while (value > this.bounds[bucket]) bucket++;
    observed.counts[bucket]++;
    observed.sum += value;
  }

  private of(key: string): Observed {
    let observed = this.observed.get(key);
    if (!observed) {
      observed = { counts: new Float64Array(this.bounds.length + 1), sum: 0 };
      this.observed.set(key, observed);
    }
    return observed;
  }

  get text(): string {
    const lines = [header(this.name, "histogram", this.help)];
    const names = [...this.bounds.map(String), "+Inf"];
    for (const [key, { counts, sum }] of this.observed) {
      const labels = labelsOf(this.labels, key);
      const before = labels === "" ? "" : `${labels},`;
      let below = 0;
      names.forEach((bound, n) => {
        below += counts[n];
        lines.push(`${this.name}_bucket{${before}le="${bound}"} ${below}\n`);
      });
      lines.push(line(`${this.name}_sum`, labels, sum), line(`${this.name}_count`, labels, below));
    }
    return lines.join("");
  }
}

/** A metric that is read when the page is made. Each row has labels (made by `label`) and a value. */
export function metricText(
  name: string,
  type: "counter" | "gauge",
  help: string,
  rows: readonly (readonly [labels: string, value: number])[],
): string {
  return header(name, type, help) +
    rows.map(([labels, value]) => line(name, labels, value)).join("");
}

/** `name="value"`, escaped. */
export function label(name: string, value: string): string {
  const escaped = value.replace(/[\\"\n]/g, (char) => char === "\n" ? "\\n" : `\\${char}`);
  return `${name}="${escaped}"`;
}

/** No label value has it. */
const separator = "\0";

function labelsOf(names: readonly string[], key: string): string {
  const values = key.split(separator);
  return names.map((name, n) => label(name, values[n])).join();
}

function header(name: string, type: string, help: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
}

function line(name: string, labels: string, value: number): string {
  return labels === "" ? `${name} ${value}\n` : `${name}{${labels}} ${value}\n`;
}
