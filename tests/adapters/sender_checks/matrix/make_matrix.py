"""
Makes sender_matrix.json: messages, DNS records, and what independent programs say of them.

The messages are signed by dkimpy 1.1.4. SPF is the word of pyspf 2.0.14, DKIM of dkimpy, ARC of dkimpy, DMARC of
authheaders 0.15.2 with dkimpy's and pyspf's results (Debian: python3-dkim, python3-spf, python3-authheaders). The verdict
is made of these words by the rule in docs/specification.md "Who sent it". Run: python3 make_matrix.py > sender_matrix.json

Each run makes new keys and so new signatures; the words stay the same.
"""
import base64, json, re, subprocess, sys
import dkim, spf, authheaders
from authheaders import dmarc_lookup
from authres import SPFAuthenticationResult, DKIMAuthenticationResult
from dns.exception import Timeout
from nacl.signing import SigningKey
from publicsuffix2 import PublicSuffixList

OWN, FOREIGN = "192.0.2.1", "198.51.100.7"
zone = {}


def publish(name, **records):
    zone.setdefault(name, {}).update(records)


# --- DNS -------------------------------------------------------------------------------------------------------------
def answers(name, qtype):
    """The records of a name; [] without any. Raises Timeout if the name's server is down."""
    found = zone.get(str(name).lower().rstrip("."), {})
    if "fault" in found:
        raise Timeout()
    return found.get(qtype.lower(), [])


def spf_lookup(name, qtype, tcpfallback=True, timeout=30):
    try:
        found = answers(name, qtype)
    except Timeout as error:
        raise spf.TempError("DNS " + str(error))
    if qtype in ("TXT", "SPF"):
        return [((name, qtype), [text.encode()]) for text in (found if qtype == "TXT" else [])]
    if qtype == "MX":
        return [((name, qtype), (each["preference"], each["exchange"])) for each in found]
    return [((name, qtype), each) for each in found]


spf.DNSLookup = spf_lookup


def dkim_lookup(name, timeout=5):
    found = answers(name.decode() if isinstance(name, bytes) else name, "TXT")
    return found[0].encode() if found else None


def dmarc_lookup_all(name, qtype="TXT"):
    return ['"%s"' % text for text in answers(name, "TXT")] or None


# With its own function of that name the library reads every record, with another only one.
dmarc_lookup.dns_query = dmarc_lookup_all
dmarc_lookup.lookup_receiver_record.__defaults__ = (dmarc_lookup_all,)
dmarc_lookup.receiver_record.__defaults__ = (dmarc_lookup_all,)

# The real list of public suffixes lacks example; without it bank.example and evil.example would be one organisation.
orgs = PublicSuffixList(["example"]).get_public_suffix
dmarc_lookup.get_org_domain = authheaders.get_org_domain = orgs

# --- keys ------------------------------------------------------------------------------------------------------------


def rsa_key():
    pem = subprocess.run(["openssl", "genrsa", "2048"], capture_output=True, check=True).stdout
    der = subprocess.run(["openssl", "rsa", "-pubout", "-outform", "DER"], input=pem, capture_output=True, check=True).stdout
    return pem, "v=DKIM1; k=rsa; p=" + base64.b64encode(der).decode()


rsa, rsa_record = rsa_key()
stranger, stranger_record = rsa_key()
ed = SigningKey.generate()
ed_record = "v=DKIM1; k=ed25519; p=" + base64.b64encode(bytes(ed.verify_key)).decode()
ed_private = base64.b64encode(bytes(ed))

# --- the zone --------------------------------------------------------------------------------------------------------
ORGS = ["bank.example", "strict.example", "plain.example", "twice.example", "dark.example"]
for org in ORGS:
    for name in [org, "mail." + org, "shop." + org]:
        publish(name, txt=["v=spf1 ip4:%s -all" % OWN], a=[OWN])
        publish("k1._domainkey." + name, txt=[rsa_record])
    publish("ed._domainkey." + org, txt=[ed_record])
    publish("revoked._domainkey." + org, txt=["v=DKIM1; k=rsa; p="])
    publish("wrong._domainkey." + org, txt=[stranger_record])
    publish("down._domainkey." + org, fault="SERVFAIL")
    publish("soft." + org, txt=["v=spf1 ip4:%s ~all" % OWN])
    publish("neutral." + org, txt=["v=spf1 ?all"])
    publish("silent." + org, txt=["no spf here"])
    publish("two." + org, txt=["v=spf1 +all", "v=spf1 -all"])
    publish("bad." + org, txt=["v=spf1 ip4:300.1.1.1 +all"])
    publish("down." + org, fault="SERVFAIL")
    publish("redirect." + org, txt=["v=spf1 redirect=" + org])
    publish("mx." + org, txt=["v=spf1 mx -all"], mx=[{"preference": 10, "exchange": org}])
    # RFC 7208, section 4.6.4: ten look-ups are allowed, eleven are not; two void ones are, three are not.
    for count, name in [(10, "ten"), (11, "eleven")]:
        includes = " ".join("include:i%d.%s" % (n, org) for n in range(count - 1))
        publish("%s.%s" % (name, org), txt=["v=spf1 %s a:%s -all" % (includes, org)])
    for n in range(10):
        publish("i%d.%s" % (n, org), txt=["v=spf1 ?all"])
    for count, name in [(2, "void2"), (3, "void3")]:
        voids = " ".join("a:v%d.%s" % (n, org) for n in range(count))
        publish("%s.%s" % (name, org), txt=["v=spf1 %s ip4:%s -all" % (voids, OWN)])
for name in ["evil.example", "list.example"]:
    publish(name, txt=["v=spf1 ip4:%s -all" % FOREIGN])
    publish("k1._domainkey." + name, txt=[stranger_record])
publish("down.evil.example", fault="SERVFAIL")
publish("down._domainkey.evil.example", fault="SERVFAIL")
publish("_dmarc.bank.example", txt=["v=DMARC1; p=reject; sp=none"])
publish("_dmarc.strict.example", txt=["some other text", "v=DMARC1; p=none; adkim=s; aspf=s"])
publish("_dmarc.twice.example", txt=["v=DMARC1; p=reject", "v=DMARC1; p=none"])
publish("_dmarc.dark.example", fault="SERVFAIL")

# --- messages --------------------------------------------------------------------------------------------------------
BODY = b"Hello.\r\n\r\nSee you  there.\r\n"


def mail_of(author):
    return ("From: The Author <%s>\r\nTo: agent@agents.example\r\nSubject: Hello\r\nDate: Sun, 22 Nov 2026 10:00:00 +0000\r\n"
            "Message-ID: <1@%s>\r\nMIME-Version: 1.0\r\nContent-Type: text/plain\r\n\r\n" % (author, author.split("@")[1])).encode() + BODY


class Expired(dkim.DKIM):
    """Signs with t=1700000000 and x=1700003600."""

    def gen_header(self, fields, *others):
        made = []
        for name, value in fields:
            made += [(b"t", b"1700000000"), (b"x", b"1700003600")] if name == b"t" else [(name, value)]
        fields[:] = made
        return super().gen_header(fields, *others)


def signed(raw, domain, selector="k1", key=None, expired=False, **options):
    key = key or (stranger if domain in ("evil.example", "list.example") else rsa)
    signer = (Expired if expired else dkim.DKIM)(raw)
    if selector == "ed":
        key, options["signature_algorithm"] = ed_private, b"ed25519-sha256"
    header = signer.sign(selector.encode(), domain.encode(), key,
                         include_headers=[b"from", b"to", b"subject", b"date"], canonicalize=(b"relaxed", b"relaxed"), **options)
    return header + raw


def signatures(org):
    return {
        "none": lambda raw: raw,
        "author": lambda raw: signed(raw, org),
        "ed25519": lambda raw: signed(raw, org, "ed"),
        "subdomain": lambda raw: signed(raw, "mail." + org),
        "stranger": lambda raw: signed(raw, "evil.example"),
        "stranger's DNS down": lambda raw: signed(raw, "evil.example", "down"),
        "changed body": lambda raw: signed(raw, org) + b"-- \r\nSent by the list\r\n",
        "changed From": lambda raw: signed(raw, org).replace(b"The Author", b"The CEO"),
        "expired": lambda raw: signed(raw, org, expired=True),
        "expired key": lambda raw: signed(raw, org, "revoked"),
        "no key": lambda raw: signed(raw, org, "gone"),
        "another's key": lambda raw: signed(raw, org, "wrong"),
        "key's DNS down": lambda raw: signed(raw, org, "down"),
    }


def forwarded(raw, is_changed):
    """As a list passes it on: changed or not, sealed (RFC 8617) by dkimpy."""
    raw = raw + (b"-- \r\nSent by the list\r\n" if is_changed else b"")
    results = b"Authentication-Results: list.example; dmarc=pass header.from=bank.example; dkim=pass header.d=bank.example\r\n"
    lines = dkim.arc_sign(results + raw, b"k1", b"list.example", stranger, b"list.example",
                          include_headers=[b"from", b"to", b"subject", b"date"])
    assert lines
    return b"".join(lines) + raw


# --- what the independent programs say ------------------------------------------------------------------------------
def spf_of(path):
    if path["peer"] is None:
        return "none", ""
    word = spf.check2(i=path["peer"], s=path["sender"], h=path["helo"])[0]
    domain = path["sender"].split("@")[1] if path["sender"] else path["helo"]
    return word.lower(), domain


def dkim_of(raw):
    """pass, none, temperror, or fail: the programs have different words for the kinds of failure."""
    signer = dkim.DKIM(raw)
    if not signer.present():
        return "none", ""
    domain = re.search(rb"^DKIM-Signature:.*?\bd=([^;\s]+)", raw, re.M | re.S)[1].decode()
    try:
        return ("pass" if signer.verify(dnsfunc=dkim_lookup) else "fail"), domain
    except (Timeout, dkim.DnsTimeoutError):
        return "temperror", domain
    except Exception:
        return "fail", domain


def dmarc_of(author, spf_word, spf_domain, dkim_word, dkim_domain):
    spf_result = SPFAuthenticationResult(result=spf_word, smtp_mailfrom="x@" + spf_domain)
    dkim_result = DKIMAuthenticationResult(result=dkim_word, header_d=dkim_domain)
    try:
        return authheaders.dmarc_per_from(author, spf_result, dkim_result)[0]
    except Timeout:
        return "temperror"


def org_of(domain):
    return orgs(domain)


def verdict_of(author, words):
    """docs/specification.md "Who sent it", with the alignment of the library."""
    spf_word, spf_domain, dkim_word, dkim_domain, dmarc = words
    aligned = [word for word, domain in [(spf_word, spf_domain), (dkim_word, dkim_domain)]
               if domain and org_of(domain) == org_of(author)]
    if dmarc == "pass":
        return "pass"
    if dmarc == "temperror" or (dmarc == "fail" and "temperror" in aligned):
        return "error"
    if dmarc == "fail":
        return "fail"
    if "pass" in aligned:
        return "pass"
    if "temperror" in aligned:
        return "error"
    return "fail" if spf_word == "fail" and org_of(spf_domain) == org_of(author) else "none"


def row(author, raw, path):
    spf_word, spf_domain = spf_of(path)
    dkim_word, dkim_domain = dkim_of(raw)
    dmarc = dmarc_of(author, spf_word, spf_domain, dkim_word, dkim_domain)
    verdict = verdict_of(author, (spf_word, spf_domain, dkim_word, dkim_domain, dmarc))
    if verdict == "error":
        # RFC 7489, section 6.6.2: what a temporary error leaves open is no fail. authheaders does not look at temporary errors.
        dmarc = "temperror" if dmarc == "fail" else dmarc
    return " ".join([verdict, spf_word, dkim_word, dmarc])


AUTHORS = ["bank.example", "shop.bank.example", "strict.example", "plain.example", "twice.example", "dark.example"]
PATHS = ["unknown peer", "author", "subdomain", "stranger", "stranger's DNS down", "fail", "HELO of the author",
         "HELO of a stranger", "soft", "neutral", "silent", "two", "bad", "down", "redirect", "mx", "ten", "eleven", "void2", "void3"]


def path_of(kind, org):
    sender, peer, helo = {
        "unknown peer": ("b@" + org, None, "mx.far.example"),
        "author": ("b@" + org, OWN, "mx.far.example"),
        "subdomain": ("b@mail." + org, OWN, "mx.far.example"),
        "stranger": ("b@evil.example", FOREIGN, "mx.far.example"),
        "stranger's DNS down": ("b@down.evil.example", OWN, "mx.far.example"),
        "fail": ("b@" + org, FOREIGN, "mx.far.example"),
        "HELO of the author": ("", OWN, "mail." + org),
        "HELO of a stranger": ("", FOREIGN, "evil.example"),
    }.get(kind, ("b@%s.%s" % (kind, org), FOREIGN if kind == "soft" else OWN, "mx.far.example"))
    return {"sender": sender, "peer": peer, "helo": helo}


mails, table, paths = {}, {}, {}
for author in AUTHORS:
    org = org_of(author)
    for kind in PATHS:
        paths.setdefault(org, {})[kind] = path_of(kind, org)
    for signature, sign in signatures(org).items():
        name = author + " / " + signature
        raw = sign(mail_of("ceo@" + author))
        mails[name] = raw.decode()
        table[name] = [row(author, raw, paths[org][kind]) for kind in PATHS]

arc = {}
for name, raw in {
    "unchanged": forwarded(signed(mail_of("ceo@bank.example"), "bank.example"), False),
    "changed": forwarded(signed(mail_of("ceo@bank.example"), "bank.example"), True),
    "changed, without a record": forwarded(signed(mail_of("ceo@plain.example"), "plain.example"), True),
}.items():
    author = "plain.example" if "without" in name else "bank.example"
    path = {"sender": "b@list.example", "peer": FOREIGN, "helo": "list.example"}
    chain = dkim.arc_verify(raw, dnsfunc=dkim_lookup)[0].decode()
    arc[name] = {"mail": raw.decode(), "path": path, "chain": chain, "expected": row(author, raw, path)}

words = sorted({each for rows in table.values() for each in rows})
# Each mail has a letter a path, in the order of PATHS; so a difference is seen, and the file is small.
letters = dict(zip(words, (chr(code) for code in range(0x21, 0x200) if chr(code).isalnum())))
coded = {name: "".join(letters[each] for each in rows) for name, rows in table.items()}
made = {"words": {letter: word for word, letter in letters.items()}, "table": coded, "paths": paths, "arc": arc, "zone": zone,
        "mails": mails}
print(json.dumps(made, indent=1, ensure_ascii=False))
print(len(mails), "mails", sum(len(rows) for rows in table.values()), "rows", len(words), "different", file=sys.stderr)
