import { listArrivals } from "../../domain/mail/inbound/list_arrivals.ts";
import { type RestRoute } from "../http/rest.ts";
import { pageIn } from "../http/envelopes.ts";

export const arrivalRoutes: RestRoute[] = [
  {
    family: "v1",
    tag: "Emails",
    method: "GET",
    path: "/v1/api/arrivals",
    operation: listArrivals,
    input: "query",
    envelope: pageIn("arrivals"),
  },
];
