import type { Grammar } from "./grammar.ts";

const text = {
  word: ["a", "word", "Ann", "\u00e9", "\u4f60", "{word}{word}"],
  blank: [" ", "  ", "\t", "\r\n ", "\r\n\t ", "\n", "\r"],
  number: ["0", "1", "07", "2026", "999999999999", "-1"],
};

const encodedWord = {
  charset: ["utf-8", "UTF-8*en", "iso-8859-1", "iso-2022-jp", "utf-7", "hz-gb-2312", "cp850", "x"],
  encoded: ["=?{charset}?Q?{q}?=", "=?{charset}?B?{b}?=", "=?{charset}?Q?{q}", "=?", "?=", "=?x?"],
  q: ["a", "=C3=A9", "=C3", "_", "=0D=0A", "=", "", "{q}{q}", "+AGE-", "?"],
  b: ["YWFh", "w6k=", "YQ", "====", "", "GyRC", "!"],
};

export const addressGrammar: Grammar = {
  frame: ["", "", '"', "a@h.example ", "g: ", "<", "(", "Ann <"],
  list: ["{address}", "{address}, {list}", "{group}", ",", ", ,"],
  address: ["{local}@{domain}", "{phrase} <{local}@{domain}>", "<{route}{local}@{domain}>", "<>"],
  group: ["{phrase}: {list};", "g:;", "g:"],
  phrase: ["{word}", "{word}{blank}{phrase}", "{quoted}", "{encoded}", "{comment}"],
  quoted: ['"{word}"', '"\\""', '"', '"a@b"', "'{word}'"],
  comment: ["({word})", "(", ")", "({comment})", "(\\))"],
  local: ["a", "a.b", "{quoted}", "", "a..b", "a+b"],
  domain: ["h.example", "[192.0.2.1]", "h", "", "\u00e9.example", "xn--a.example"],
  route: ["", "@a.example:", "@a,@b:"],
  ...encodedWord,
  ...text,
};

export const encodedWordGrammar: Grammar = {
  frame: ["", "word ", "=?utf-8?Q?", "=?utf-8?B?"],
  ...encodedWord,
  ...text,
};

export const dateGrammar: Grammar = {
  frame: ["", "Mon, ", "Mon, 3 Aug 2026 10:00:00 +0000 "],
  date: [
    "{day}, {number} {month} {number} {time} {zone}",
    "{number}-{month}-{number}",
    "{number}/1/1",
  ],
  day: ["Mon", "Monday", ""],
  month: ["Aug", "August", "8", "Aug."],
  time: ["10:00:00", "10:00", "10.00.00", "{number}:{number}"],
  zone: ["+0000", "-2460", "GMT", "(CEST)", "({zone})", "Z", "(", ""],
  ...text,
};

export const messageIdGrammar: Grammar = {
  frame: ["", "<", "Your message from "],
  ids: ["<{word}@h>", "<{word}", "{word}@h>", "<>", "<<>>", "{word}@h", "{ids}{blank}{ids}", ","],
  ...encodedWord,
  ...text,
};

const parameters = {
  type: ["text/plain", "text/html", "multipart/mixed", "application/x", "x", "/", "text/"],
  parameter: ["; {name}={value}", ";{blank}{name}={value}", ";", "; {name}", "; ={value}"],
  name: ["charset", "boundary", "name", "name*", "name*{number}", "name*{number}*", "filename*0*"],
  value: [
    "x",
    '"x"',
    '"',
    '"\\"',
    "utf-8''%C3%A9",
    "%",
    "''",
    "''''",
    "({value})",
    "=",
    "{encoded}",
  ],
};

export const fieldGrammar: Grammar = {
  frame: ["{type}", "{type}; name=", 'text/plain; name="', "", "("],
  ...parameters,
  ...encodedWord,
  ...text,
};

export const htmlGrammar: Grammar = {
  frame: [
    "",
    "<pre>",
    "<p",
    '<a href="',
    "<style>",
    "<!--",
    "<table><tr>",
    '<div style="',
    "<textarea>",
  ],
  element: [
    "<{tag}{attributes}>",
    "</{tag}>",
    "<{tag}>{content}</{tag}>",
    "<{tag}/>",
    "<{tag}",
    "</",
  ],
  tag: [
    ...[
      "p",
      "div",
      "pre",
      "a",
      "b",
      "br",
      "hr",
      "img",
      "ul",
      "ol",
      "li",
      "table",
      "tr",
      "td",
      "th",
    ],
    ...[
      "blockquote",
      "h1",
      "style",
      "script",
      "title",
      "head",
      "body",
      "span",
      "svg",
      "select",
      "xx",
    ],
  ],
  attributes: ["", "", " {attribute}", " {attribute}{attributes}"],
  attribute: [
    ...[
      "href='https://h.example'",
      'href="',
      "alt=x",
      "hidden",
      "start=5",
      "dir=rtl",
      "a",
      "=",
      "a=",
    ],
    ...[
      'style="display:none"',
      "style='font-size:0;max-height:0'",
      'style="',
      "cite=x",
      "title='x'",
    ],
  ],
  content: ["{word}", "{blank}", "{entity}", "{element}", "{content}{content}", "&gt; x", ""],
  entity: ["&amp;", "&lt", "&nbsp;", "&#8203;", "&#x1F600;", "&#", "&#x", "&", "&zwnj;", "&notit;"],
  odd: [
    "<!-- {word} -->",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<?x",
    "<!x>",
    "<!--[if mso]>",
    "<!--->",
  ],
  ...text,
};

const lines = {
  quote: ["> {line}", ">> {line}", ">", "| {line}", "\uff1e {line}", ">{quote}"],
  line: [
    "{word}\n",
    "{word} \n",
    "{blank}\n",
    "\n",
    "-- \n",
    "--\n",
    "{marker}\n",
    "{quote}",
    "{word} ",
  ],
  marker: [
    ...[
      "On 3 May 2026, Ann wrote:",
      "On Monday at 10:00 Ann",
      "wrote:",
      "Am 3.5. schrieb Ann:",
      "10:00:",
    ],
    ...["-----Original Message-----", "- - - - -", "___________________________", "----------"],
    ...[
      "From: a@h.example",
      "Sent: Monday",
      "To: b",
      "Subject: x",
      "*From:* a",
      "Von: a",
      "\u53d1\u4ef6\u4eba: a",
    ],
    ...["---------- Forwarded message ----------", "Begin forwarded message:", "Best regards,"],
    ...[
      "Sent from my phone",
      "Von meinem x",
      "This message is confidential",
      "This a b c",
      "unsubscribe",
    ],
    ...[
      "Legal notice",
      "important important",
      "\u0438\u043d\u0444\u043e\u0440\u043c\u0430\u0446\u0438\u044f ",
      "https://h.example/a?b=c#d",
      "a@h.example",
    ],
  ],
};

export const plainGrammar: Grammar = {
  frame: ["", "hi\n\n", "On ", "> ", "-", "hi\n\n\n"],
  ...lines,
  ...text,
};

export const mimeGrammar: Grammar = {
  frame: [
    "Content-Type: multipart/mixed; boundary=b\r\n\r\n",
    "Content-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\n",
    "Content-Type: multipart/digest; boundary=b\r\n\r\n--b\r\n\r\n",
    "Content-Type: multipart/mixed\r\n\r\n--b\r\n",
    "Content-Type: message/rfc822\r\n\r\n",
    "Content-Type: {type}{parameter}\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n",
    "Subject: {encoded}",
    "From: ",
    "To: ",
    "References: ",
    "\r\n",
    "",
  ],
  delimiter: [
    "--b\r\n",
    "--b--\r\n",
    "--b",
    "--bb\r\n",
    "--b  \r\n",
    "\r\n--b\r\n",
    "--c\r\n",
    "--\r\n",
  ],
  field: [
    "Content-Type: {type}{parameter}\r\n",
    "Content-Type: multipart/mixed; boundary={boundary}\r\n",
    "Content-Type: message/rfc822\r\n",
    "Content-Transfer-Encoding: {encoding}\r\n",
    "Content-Disposition: attachment; filename={value}\r\n",
    "Content-ID: <{word}>\r\n",
    "Subject: {encoded}\r\n",
    "Received: x\r\n",
    "X-{word}: y\r\n",
    "{word}",
    ":\r\n",
    " folded\r\n",
    " \r\n",
  ],
  boundary: ["b", "bb", "c", '"b"', '""', "b*0=b"],
  encoding: ["base64", "quoted-printable", "x-uuencode", "8bit", "x", ""],
  part: [
    "--b\r\n{field}\r\n{content}\r\n",
    "--b\r\n{field}{field}",
    "--b\r\n\r\n{part}",
    "{delimiter}{field}",
  ],
  content: ["{word}", "YWFh", "=C3=A9=\r\n", "{line}", "<p>{word}", "\r\n", ""],
  ...parameters,
  ...encodedWord,
  ...lines,
  ...text,
};

export const reportGrammar: Grammar = {
  ...mimeGrammar,
  frame: [
    "Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n",
    "Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b\r\n" +
    "Content-Type: message/delivery-status\r\n\r\n",
    "Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b\r\n" +
    "Content-Type: message/rfc822\r\n\r\n",
  ],
  status: [
    "Final-Recipient: rfc822; a@h.example\r\n",
    "Action: failed\r\n",
    "Status: 5.1.1\r\n",
    "Diagnostic-Code: smtp; 550 {word}\r\n {word}\r\n",
    "\r\n",
    " \t\r\n",
    "Message-ID: <{word}@h>\r\n",
  ],
};

/** Bytes of transfer encodings and of charsets that shift. */
export const byteGrammar: Grammar = {
  frame: ["", "YWFh", "\x1b$)C", "=", "~{", "+"],
  base64: ["YWFh", "YQ==", "YQ", "=", "==", "\r\n", "!", "\u00ff"],
  quoted: ["=C3=A9", "=\r\n", "= \t\r\n", "= ", "=", "=Z", " \r\n", " \t", "a"],
  shift: ["\x1b$B", "\x1b(B", "\x0e", "\x0f", "~{", "~}", "~~", "~\n", "+", "-", "+AGE-", "+2D0-"],
  bytes: ["\u0081\u0030\u0081\u0030", "\u00ff", "\u0080", "VP", "!!", "\u0000"],
};

export const tnefGrammar: Grammar = {
  frame: [
    "\u0078\u009f\u003e\u0022\u0001\u0000",
    "\u0078\u009f\u003e\u0022\u0001\u0000{attribute}",
    "",
  ],
  attribute: [
    "\u0001\u0003\u0090\u0006\u0000\u0034\u0000\u0000\u0000\u0001\u0000\u0000\u0000\u0002\u0001\u0009\u0010\u0001\u0000\u0000\u0000\u0021\u0000\u0000\u0000\u001e\u0000\u0000\u0000\u00ff\u00ff\u00ff\u00ff\u004c\u005a\u0046\u0075\u0000\u0000\u0000\u0000\u00ff\u0001\u000e\u0001\u000e\u0001\u000e\u0001\u000e\u0001\u000e\u0001\u000e\u0001\u000e\u0001\u000e\u0000\u0000\u0000\u0000\u0000", // the properties of a message, with compressed RTF
    "\u0002\u0002\u0090\u0006\u0000\u000e\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0002\u0010\u0080\u0001\u0000\u0006\u0000\u0000\u0000\u0061\u002e\u0074\u0078\u0074\u0000\u0000\u0000\u0002\u000f\u0080\u0006\u0000\u0004\u0000\u0000\u0000\u0064\u0061\u0074\u0061\u0000\u0000", // a file
    "\u0002\u0002\u0090\u0006\u0000\u000e\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0002\u0005\u0090\u0006\u0000\u003c\u0000\u0000\u0000\u0002\u0000\u0000\u0000\u0003\u0000\u0005\u0037\u0005\u0000\u0000\u0000\u000d\u0000\u0001\u0037\u0001\u0000\u0000\u0000\u0024\u0000\u0000\u0000\u0007\u0003\u0002\u0000\u0000\u0000\u0000\u0000\u00c0\u0000\u0000\u0000\u0000\u0000\u0000\u0046\u0078\u009f\u003e\u0022\u0001\u0000\u0001\u000c\u0080\u0002\u0000\u0003\u0000\u0000\u0000\u0068\u0069\u0000\u0000\u0000\u0000\u0000", // a message as a file
    "\u0001\u000c\u0080\u0002\u0000\u000b\u0000\u0000\u0000\u0054\u0077\u006f\u0020\u0063\u0068\u0061\u0069\u0072\u0073\u0000\u0000\u0000", // text
    "\u0001",
    "\u0002",
  ],
  number: [
    "\u0000\u0000\u0000\u0000",
    "\u00ff\u00ff\u00ff\u00ff",
    "\u0004\u0000\u0000\u0000",
    "\u001e\u0010\u0000\u0080",
  ],
};

export const rtfGrammar: Grammar = {
  frame: [
    "{\\rtf1\\ansi ",
    "{\\rtf1\\ansi\\ansicpg932\\fromhtml1 ",
    "{\\rtf1{\\fonttbl{\\f0\\fcharset204 A;}}",
  ],
  group: ["{", "}", "{\\*\\htmltag64 <p>}", "{\\fonttbl{\\f1\\fcharset128 B;}}", "{\\*\\x "],
  word: [
    "\\par ",
    "\\htmlrtf ",
    "\\htmlrtf0 ",
    "\\f1 ",
    "\\v ",
    "\\v0 ",
    "\\u8364?",
    "\\uc9 ",
    "\\bin9 ",
    "\\'e9",
    "\\~",
    "\\\\",
  ],
  text: ["word", "\u0082", "\r\n", "\\", "\\'8"],
};
