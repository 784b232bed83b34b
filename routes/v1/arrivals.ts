import { listArrivals } from "../../domain/mail/list_arrivals.ts";
import { pageIn, type RestRoute } from "../rest.ts";

export const arrivalRoutes: RestRoute[] = [
  {
    method: "GET",
    path: "/v1/api/arrivals",
    operation: listArrivals,
    input: "query",
    envelope: pageIn("arrivals"),
  },
];
