/**
 * Never called: it puts the packages of the browser into the module graph. `import.meta.resolve` then returns where
 * their files are, without it `npm:preact`. JavaScript, because their types bring the DOM's into the server's check.
 */
export const inGraph = () => [
  import("preact"),
  import("preact/hooks"),
  import("preact/jsx-runtime"),
  import("@preact/signals"),
  import("@preact/signals-core"),
  import("uplot"),
];
