import { type Deployment, type Finding, ok, unknown, wrong } from "./finding.ts";

/** Checks that MX_HOST has an address, and that the MX records of the shared domains name it. */
export async function checkDns({ settings, dns }: Deployment): Promise<Finding[]> {
  const { MX_HOST, SHARED_DOMAINS = [] } = settings;
  const findings: Finding[] = [];
  if (MX_HOST) {
    const [v4, v6] = await Promise.all([dns.lookUp(MX_HOST, "A"), dns.lookUp(MX_HOST, "AAAA")]);
    const addresses = [v4, v6].flatMap((each) => each.kind === "records" ? each.records : []);
    if (addresses.length > 0) {
      findings.push(ok("MX_HOST", `${MX_HOST} has ${addresses.join(", ")}`));
    } else if (v4.kind === "unavailable") {
      const resolver = settings.DNS_SERVER ?? "the system's resolver";
      return [wrong("DNS_SERVER", `${resolver} does not answer about ${MX_HOST}: ${v4.reason}`)];
    } else findings.push(wrong("MX_HOST", `${MX_HOST} has no A and no AAAA record`));
  }
  const answers = await Promise.all(SHARED_DOMAINS.map((domain) => dns.mx(domain)));
  for (const [n, domain] of SHARED_DOMAINS.entries()) {
    const answer = answers[n];
    if (answer.kind === "unavailable") {
      // The DNS of one domain does not answer, or its signatures are wrong.
      const reason = `the MX record of ${domain} cannot be read: ${answer.reason}`;
      findings.push(wrong("SHARED_DOMAINS", reason));
      continue;
    }
    const named = answer.kind === "records" ? answer.records.map(({ exchange }) => exchange) : [];
    if (!MX_HOST) findings.push(unknown("SHARED_DOMAINS", `${domain}: MX_HOST is not known`));
    else if (named.includes(MX_HOST)) {
      findings.push(ok("SHARED_DOMAINS", `mail for ${domain} goes to ${MX_HOST}`));
    } else {
      const found = named.length > 0 ? `names ${named.join(", ") || "no host"}` : "is missing";
      findings.push(
        wrong("SHARED_DOMAINS", `the MX record of ${domain} ${found}, and MX_HOST is ${MX_HOST}`),
      );
    }
  }
  return findings;
}
