const shapes = {
  again: "M20 11a8 8 0 1 0-2 6M20 5v6h-6",
  at: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zm4 0v5.5a2.5 2.5 0 0 0 5 0V12a9 9 0 1 0-4 7.5",
  back: "M15 5l-7 7 7 7",
  check: "m5 12 5 5 9-10",
  clip: "M20 11l-8 8a5 5 0 0 1-7-7l8-8a3.5 3.5 0 0 1 5 5l-8 8a2 2 0 0 1-3-3l7-7",
  clock: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3 3",
  close: "M6 6l12 12M18 6 6 18",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  download: "M12 4v11m-5-5 5 5 5-5M5 20h14",
  forward: "M15 6l5 5-5 5M20 11H10a6 6 0 0 0-6 6v1",
  gauge: "M4 18a8.5 8.5 0 1 1 16 0M12 15l4-5",
  globe: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18",
  hand:
    "M7 11V6a1.5 1.5 0 0 1 3 0v4m0-5a1.5 1.5 0 0 1 3 0v5m0-4a1.5 1.5 0 0 1 3 0v5m0-2a1.5 1.5 0 0 1 3 0v5a7 7 0 0 1-12 4.5L4 14.5a1.6 1.6 0 0 1 2.5-2L8 14",
  help: "M9 9a3 3 0 1 1 4 3c-1 .5-1 1-1 2m0 3v.1M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z",
  hook: "M12 3v10m0 0a4 4 0 1 0 4 4M12 13a4 4 0 0 0-4 4",
  inbox: "M3 13h5l1.5 3h5L16 13h5M3 13l3-8h12l3 8v6H3z",
  key: "M8 11a4 4 0 1 0 0 8 4 4 0 0 0 0-8zm3 1 9-9m-4 4 3 3",
  ledger: "M5 4h14v16H5zM9 8h6M9 12h6M9 16h3",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1m2 4a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  mailOpen: "M3 10l9-6 9 6v10H3zM3 10l9 6 9-6",
  mailShut: "M3 6h18v13H3zM3 7l9 7 9-7",
  menu: "M4 7h16M4 12h16M4 17h16",
  moon: "M20 14A8 8 0 1 1 10 4a7 7 0 0 0 10 10z",
  out: "M14 4h5v16h-5M4 12h11m-4-4 4 4-4 4",
  pen: "M4 20h4L19 9l-4-4L4 16zM13 7l4 4",
  people:
    "M9 4a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM3 20c0-3.5 2.5-6 6-6s6 2.5 6 6M16 4.5a3.5 3.5 0 0 1 0 6.5m2 3.5c2 .8 3 3 3 5.5",
  plus: "M12 5v14M5 12h14",
  reply: "M9 6 4 11l5 5M4 11h10a6 6 0 0 1 6 6v1",
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zm5 12 5 5",
  shield: "M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6z",
  shieldCheck: "M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6zM8.5 12l2.5 2.5 4.5-5",
  sun:
    "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2m0 16v2M2 12h2m16 0h2M5 5l1.5 1.5m11 11L19 19M5 19l1.5-1.5m11-11L19 5",
  tag: "M4 4h8l8 8-8 8-8-8zM8 8v.1",
  trash: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
  warning: "M12 4l9 16H3zM12 10v4m0 3v.1",
} as const;

export type IconName = keyof typeof shapes;

/** A picture next to words or in a named button; screen readers skip it. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      class="icon"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      aria-hidden="true"
      focusable="false"
    >
      <path
        d={shapes[name]}
        fill="none"
        stroke="currentColor"
        stroke-width="1.75"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}
