/**
 * Never called: it puts the packages of the browser into the module graph, so that `import.meta.resolve` returns the
 * places of their files and not `npm:preact`. It is JavaScript because the types of these packages would bring the
 * DOM's types into the check of the server.
 */
export const inGraph = () => [
  import("preact"),
  import("preact/hooks"),
  import("preact/jsx-runtime"),
  import("@preact/signals"),
  import("@preact/signals-core"),
  import("uplot"),
];
