import assert from "node:assert/strict";
import { loadZoneNames } from "../../../domain/custom_domains/zone_names.ts";

Deno.test("a record has its whole name, and its name in the zone of the registrable domain", async () => {
  const zoneNames = await loadZoneNames();
  for (
    const [domain, name, fqdn, zone] of [
      ["corp.example", "@", "corp.example", "@"],
      ["corp.example", "_dmarc", "_dmarc.corp.example", "_dmarc"],
      ["agents.corp.example", "@", "agents.corp.example", "agents"],
      [
        "agents.corp.example",
        "k._domainkey",
        "k._domainkey.agents.corp.example",
        "k._domainkey.agents",
      ],
      ["shop.co.uk", "@", "shop.co.uk", "@"],
      ["mail.eu.shop.co.uk", "_dmarc", "_dmarc.mail.eu.shop.co.uk", "_dmarc.mail.eu"],
      // In the private section of the list, whose zones belong to their operator.
      ["team.github.io", "@", "team.github.io", "team"],
      ["xn--bcher-kva.example", "@", "xn--bcher-kva.example", "@"],
      ["co.uk", "@", "co.uk", "@"],
    ]
  ) assert.deepEqual(zoneNames(domain, name), { fqdn, zone_name: zone }, `${name} of ${domain}`);
});
