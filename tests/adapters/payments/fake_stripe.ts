import Stripe from "stripe";

export type FakeStripe = {
  /** For `STRIPE_API_BASE`. */
  apiBase: string;
  webhookSecret: string;
  /** The requests in order; `form` is the decoded body or query, and names such as `metadata[userId]` are unchanged. */
  requests: { method: string; path: string; form: Record<string, string>; key: string | null }[];
  /** Status that the next requests get instead of an answer; 0 answers. */
  failWith: number;
  /** The wrong parameter that such an answer names. */
  failParam?: string;
  subscriptions: Map<string, object>;
  /** Customers that were deleted, or are those of other keys. */
  unknownCustomers: Set<string>;
  /** A notification as Stripe would post it, signed now unless `signedAt` (seconds) says otherwise. */
  event(
    type: string,
    object: object,
    more?: { id?: string; created?: number; signedAt?: number },
  ): Promise<{ body: string; signature: string }>;
  /** The header with Stripe's signature over any body; `signedAt` in seconds. */
  sign(body: string, signedAt?: number): Promise<string>;
  close(): Promise<void>;
};

/** The part of Stripe's API that the service uses, on loopback, for the real client to talk to. */
export function startFakeStripe(): FakeStripe {
  const requests: FakeStripe["requests"] = [];
  const subscriptions = new Map<string, object>();
  const unknownCustomers = new Set<string>();
  let count = 0;
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const { pathname: path, search } = new URL(request.url);
    const form = Object.fromEntries(
      new URLSearchParams(`${search.slice(1)}&${await request.text()}`),
    );
    requests.push({
      method: request.method,
      path,
      form,
      key: request.headers.get("idempotency-key"),
    });
    if (fake.failWith) {
      const type = fake.failWith < 500 ? "invalid_request_error" : "api_error";
      const error = { type, message: "the fake was told to fail", param: fake.failParam };
      return Response.json({ error }, { status: fake.failWith });
    }
    if (unknownCustomers.has(form.customer)) {
      const error = { type: "invalid_request_error", code: "resource_missing", param: "customer" };
      return Response.json({ error }, { status: 400 });
    }
    const n = ++count;
    if (path === "/v1/checkout/sessions") {
      const id = `cs_test_${n}`;
      return Response.json({ id, object: "checkout.session", url: `https://checkout.test/${id}` });
    }
    if (path === "/v1/billing_portal/sessions") {
      const id = `bps_${n}`;
      return Response.json({
        id,
        object: "billing_portal.session",
        url: `https://portal.test/${id}`,
      });
    }
    if (path === "/v1/customers") {
      return Response.json({ id: `cus_made_${n}`, object: "customer", email: form.email });
    }
    const subscription = subscriptions.get(path.replace("/v1/subscriptions/", ""));
    if (subscription) return Response.json(subscription);
    const error = { type: "invalid_request_error", message: `no ${path}` };
    return Response.json({ error }, { status: 404 });
  });
  const webhookSecret = "whsec_of_the_fake";
  const signer = new Stripe("sk_test_signer");
  let events = 0;
  const fake: FakeStripe = {
    apiBase: `http://127.0.0.1:${server.addr.port}`,
    webhookSecret,
    requests,
    failWith: 0,
    subscriptions,
    unknownCustomers,
    async event(type, object, more = {}) {
      const created = more.created ?? Math.floor(Date.now() / 1000);
      const id = more.id ?? `evt_${++events}`;
      const body = JSON.stringify({ id, object: "event", type, created, data: { object } });
      return { body, signature: await fake.sign(body, more.signedAt) };
    },
    sign: (body, signedAt) =>
      signer.webhooks.generateTestHeaderStringAsync({
        payload: body,
        secret: webhookSecret,
        ...(signedAt === undefined ? {} : { timestamp: signedAt }),
      }),
    close: () => server.shutdown(),
  };
  return fake;
}

/** A subscription as Stripe's API shows it; `start` and `end` in seconds. */
export function stripeSubscription(
  overrides: {
    id?: string;
    customer?: string;
    status?: string;
    price?: string;
    start?: number;
    end?: number;
    cancel_at_period_end?: boolean;
    cancel_at?: number;
    metadata?: Record<string, string>;
  } = {},
): object {
  const { id = "sub_1", customer = "cus_1", status = "active", price = "price_pro" } = overrides;
  const { start = 1_795_000_000, end = 1_797_592_000, metadata = {} } = overrides;
  return {
    id,
    object: "subscription",
    customer,
    status,
    cancel_at_period_end: overrides.cancel_at_period_end ?? false,
    cancel_at: overrides.cancel_at ?? null,
    metadata,
    items: {
      object: "list",
      data: [{
        id: "si_1",
        price: { id: price },
        current_period_start: start,
        current_period_end: end,
      }],
    },
  };
}

/** An invoice of a subscription as Stripe's API shows it. */
export function stripeInvoice(subscription = "sub_1", customer = "cus_1"): object {
  return {
    id: "in_1",
    object: "invoice",
    customer,
    parent: {
      type: "subscription_details",
      subscription_details: { subscription, metadata: {} },
    },
  };
}
