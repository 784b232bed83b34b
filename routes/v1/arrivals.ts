import { listArrivals } from "../../domain/mail/list_arrivals.ts";
import { listIn, type RestRoute } from "../rest.ts";

export const arrivalRoutes: RestRoute[] = [
  {
    method: "GET",
    path: "/v1/api/arrivals",
    operation: listArrivals,
    input: "query",
    envelope: listIn("arrivals"),
    extend: (body, input) => ({
      ...body,
      meta: { limit: input.limit, ...body.meta as Record<string, unknown> },
    }),
  },
];
