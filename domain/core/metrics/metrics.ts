import { Counter, Histogram, label, metricText } from "./series.ts";

/** From a millisecond to half a minute: a request may wait for mail. */
const requestSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const commitSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
/** A commit has at most 800 KiB. */
const commitBytes = [1_024, 4_096, 16_384, 65_536, 131_072, 262_144, 524_288, 1_048_576];

/** Outside services that the process depends on. */
export type Provider = "relay" | "embeddings" | "payments";

/**
 * What this process counts of its own work, since its start. Labels have few values, none of them an id, an address or an
 * account. docs/specification.md "Operator" lists the names.
 */
export class Metrics {
  readonly requests = new Counter(
    "letterbox_http_requests_total",
    "Answered HTTP requests.",
    ["method", "route", "status"],
  );
  /** Seconds. */
  readonly requestDuration = new Histogram(
    "letterbox_http_request_duration_seconds",
    "Time from the head of a request to the head of its answer.",
    requestSeconds,
    ["method", "route"],
  );
  readonly arrivals = new Counter(
    "letterbox_arrivals_total",
    "Deliveries of a message to one recipient.",
    ["source", "disposition"],
  );
  /** Seconds. */
  readonly commitDuration = new Histogram(
    "letterbox_commit_duration_seconds",
    "Time of a commit of the database, also of one that failed.",
    commitSeconds,
  );
  readonly commitSize = new Histogram(
    "letterbox_commit_size_bytes",
    "Estimated size of the keys and values of a commit.",
    commitBytes,
  );
  readonly webhookAttempts = new Counter(
    "letterbox_webhook_attempts_total",
    "Attempts to deliver an event to a webhook.",
    ["outcome"],
    [["success"], ["failure"]],
  );
  private readonly embedding = new Counter(
    "letterbox_embedding_seconds_total",
    "Time for which the encoders of this machine worked.",
    [],
    [[]],
  );
  private readonly embeddingFailures = new Counter(
    "letterbox_embedding_failures_total",
    "How often the encoders of this machine failed.",
    [],
    [[]],
  );
  private readonly providers = new Map<Provider, { up: boolean; outages: number }>();

  /** Lists a provider in the metrics, as up until a call of it fails. To be called for each provider that is set. */
  expect(provider: Provider): void {
    if (!this.providers.has(provider)) this.providers.set(provider, { up: true, outages: 0 });
  }

  /** Records that a call of a provider succeeded, or that it did not answer or refused the service. */
  called(provider: Provider, success: boolean): void {
    this.expect(provider);
    const known = this.providers.get(provider)!;
    if (known.up && !success) known.outages++;
    known.up = success;
  }

  /** Records that the encoders of this machine worked for so many seconds. */
  embedded(seconds: number): void {
    this.embedding.add([], seconds);
  }

  embeddingFailed(): void {
    this.embeddingFailures.add([]);
  }

  /** The metrics of this process, without those that are read when the page is made. */
  get text(): string {
    const all = [...this.providers];
    return [
      this.requests.text,
      this.requestDuration.text,
      this.arrivals.text,
      this.commitDuration.text,
      this.commitSize.text,
      this.webhookAttempts.text,
      this.embedding.text,
      this.embeddingFailures.text,
      metricText(
        "letterbox_provider_up",
        "gauge",
        "1 if the last call of an outside service succeeded, else 0.",
        all.map(([name, { up }]) => [label("provider", name), up ? 1 : 0]),
      ),
      metricText(
        "letterbox_provider_outages_total",
        "counter",
        "How often calls of an outside service began to fail.",
        all.map(([name, { outages }]) => [label("provider", name), outages]),
      ),
    ].join("");
  }
}
