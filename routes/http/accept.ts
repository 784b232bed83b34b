/** Whether an Accept header names `text/html`. `*` alone does not: programs send it. */
export function namesHtml(accept: string | undefined): boolean {
  return names(accept, "text/html");
}

export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  return names(acceptEncoding, "gzip");
}

/** Whether a list of RFC 9110, 12.5, names the value with a weight above 0. */
export function names(list: string | undefined, value: string): boolean {
  return (list ?? "").toLowerCase().split(",").some((each) => {
    const [name, ...parameters] = each.split(";").map((part) => part.trim());
    return name === value && !parameters.some((part) => /^q\s*=\s*0(?:\.0*)?$/.test(part));
  });
}
