import assert from "node:assert/strict";

/** One metric of a page in Prometheus' text format 0.0.4. */
export interface Family {
  type: string;
  help: string;
  samples: { name: string; labels: Record<string, string>; value: number }[];
}

const word = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const labelled = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"/y;

/** Reads a page strictly. Throws if it is not in the format, has a sample twice, or a histogram is inconsistent. */
export function parseExposition(page: string): Map<string, Family> {
  assert.ok(page.endsWith("\n"), "the last line ends");
  const families = new Map<string, Family>();
  const seen = new Set<string>();
  let help: [name: string, text: string] | null = null;
  let current: [name: string, family: Family] | null = null;
  for (const line of page.slice(0, -1).split("\n")) {
    const [, kind, name, rest] = new RegExp(`^# (HELP|TYPE) (${word}) (.+)$`).exec(line) ?? [];
    if (kind === "HELP") {
      help = [name, rest];
    } else if (kind === "TYPE") {
      assert.equal(help?.[0], name, `${name}: HELP stands before TYPE`);
      assert.ok(!families.has(name), `${name} is there twice`);
      assert.match(rest, /^(counter|gauge|histogram)$/);
      current = [name, { type: rest, help: help![1], samples: [] }];
      families.set(...current);
    } else {
      assert.ok(current, `a sample before any TYPE: ${line}`);
      const sample: Family["samples"][number] = parseSample(line);
      const suffixes: string[] = current[1].type === "histogram"
        ? ["_bucket", "_sum", "_count"]
        : [""];
      assert.ok(suffixes.some((suffix) => sample.name === current![0] + suffix), line);
      const identity = line.slice(0, line.lastIndexOf(" "));
      assert.ok(!seen.has(identity), `twice: ${identity}`);
      seen.add(identity);
      current[1].samples.push(sample);
    }
  }
  for (const [name, family] of families) if (family.type === "histogram") addUp(name, family);
  return families;
}

function parseSample(line: string): Family["samples"][number] {
  const [, name, inner, number] = new RegExp(`^(${word})(?:\\{(.*)\\})? (\\S+)$`).exec(line) ?? [];
  assert.ok(name, `not a sample: ${line}`);
  assert.match(number, /^-?\d+(\.\d+)?(e[+-]?\d+)?$/, line);
  const labels: Record<string, string> = {};
  for (let at = 0; inner && at < inner.length;) {
    labelled.lastIndex = at;
    const [whole, label, value] = labelled.exec(inner) ?? [];
    assert.ok(whole, `not labels: ${inner}`);
    labels[label] = value;
    at += whole.length;
    assert.ok(at === inner.length || inner[at++] === ",", inner);
  }
  return { name, labels, value: Number(number) };
}

/** The buckets rise, the last is +Inf and the count. */
function addUp(name: string, { samples }: Family): void {
  const series = Map.groupBy(samples, ({ labels: { le: _, ...labels } }) => JSON.stringify(labels));
  for (const [labels, its] of series) {
    const buckets = its.filter((each) => each.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels: { le } }) => le === "+Inf" ? Infinity : Number(le));
    assert.deepEqual(bounds, bounds.toSorted((a, b) => a - b), `${name} ${labels}`);
    assert.equal(bounds.at(-1), Infinity, `${name} ${labels}`);
    const counts = buckets.map(({ value }) => value);
    assert.deepEqual(counts, counts.toSorted((a, b) => a - b), `${name} ${labels}`);
    const count = its.find((each) => each.name === `${name}_count`)?.value;
    assert.equal(counts.at(-1), count, `${name} ${labels}`);
    assert.ok(its.some((each) => each.name === `${name}_sum`), `${name} ${labels}`);
  }
}

/** The value of one sample; undefined if there is none. */
export function sampleOf(
  families: Map<string, Family>,
  name: string,
  labels: Record<string, string> = {},
): number | undefined {
  return [...families.values()].flatMap(({ samples }) => samples).find((each) =>
    each.name === name && Object.keys(each.labels).length === Object.keys(labels).length &&
    Object.entries(labels).every(([label, value]) => each.labels[label] === value)
  )?.value;
}
